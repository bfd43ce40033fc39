import RationModel
import RationWire
import Testing

@Suite("The request log")
struct LogQueryTests {
    private func read(_ text: String) throws -> LogRequest {
        var reader = QueryReader()
        return try Array(text.utf8).withUnsafeBytes { try reader.log($0) }
    }

    @Test("a request is read as it was written")
    func request() throws {
        for request in [LogRequest(), LogRequest(at: Instant(milliseconds: 1_764_576_000_123))] {
            #expect(try read(String(decoding: request.body, as: UTF8.self)) == request)
        }
        #expect(try read("") == LogRequest())
        #expect(try read(#"{"at":5}"#) == LogRequest(at: Instant(milliseconds: 5)))
    }

    @Test("a time that is none is told", arguments: [#"{"at":"noon"}"#, #"{"at":true}"#, #"{"at":{}}"#])
    func fault(text: String) {
        #expect(throws: RequestFault(.malformed, "'at' is not an RFC 3339 date or whole milliseconds")) {
            try read(text)
        }
    }

    @Test("an answer is read as it was written, with and without what may be absent")
    func answer() throws {
        let instant = Instant(milliseconds: 1_764_576_000_123)
        let full = LogAnswer(
            log: "7f3a", first: 3, last: 9, bytes: 100, oldest: instant, newest: instant.advanced(by: 1),
            retentionBytes: 1 << 40, retentionMilliseconds: 86_400_000, after: 0)
        let empty = LogAnswer(
            log: "7f3a", first: 1, last: 0, bytes: 0, oldest: nil, newest: nil, retentionBytes: 1,
            retentionMilliseconds: nil, after: nil)
        for answer in [full, empty] {
            #expect(try answer.body.withUnsafeBytes { try LogAnswer(body: $0) } == answer)
        }
    }
}
