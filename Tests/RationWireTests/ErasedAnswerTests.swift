import RationModel
import RationWire
import Testing

@Suite("Kept answers without texts")
struct ErasedAnswerTests {
    private func acknowledgement() -> [UInt8] {
        Array("secret".utf8).withUnsafeBytes { id in
            AcknowledgementWriter(log: "7f3a").body(
                batch: 7, now: Instant(milliseconds: 1_796_000_000_000), outcomes: [.held, .rejected, .held],
                problems: [
                    .init(index: 1, id: id, rejection: Rejection(.id, field: "id", "secret is too long")),
                    .init(index: 2, id: id, rejection: Rejection(.type, field: "type", "secret"), isWarning: true),
                ], omitted: 3)
        }
    }

    private func read(_ body: [UInt8]) throws -> Acknowledgement {
        try body.withUnsafeBytes { try Acknowledgement(number: 1, body: $0) }
    }

    @Test("ids and messages go; outcomes, places, levels, codes, fields and the number of further ones stay")
    func problems() throws {
        let body = acknowledgement()
        let erased = try #require(ErasedAnswer.acknowledgement(body))
        #expect(!String(decoding: erased, as: UTF8.self).contains("secret"))
        var expected = try read(body)
        for place in expected.problems.indices {
            (expected.problems[place].id, expected.problems[place].message) = (nil, ErasedAnswer.message)
        }
        #expect(try read(erased) == expected)
        #expect(ErasedAnswer.acknowledgement(erased) == nil, "once is enough")
    }

    @Test("an answer without texts stays as it is")
    func nothing() {
        let body = AcknowledgementWriter(log: "7f3a").body(
            batch: 7, now: Instant(milliseconds: 0), outcomes: [.held], problems: [])
        #expect(ErasedAnswer.acknowledgement(body) == nil)
        #expect(ErasedAnswer.acknowledgement([1, 2]) == nil && ErasedAnswer.refusal([]) == nil)
    }

    @Test("a refusal keeps its code and what was expected")
    func refusal() throws {
        let erased = try #require(ErasedAnswer.refusal(RequestFault(.outOfOrder, "secret", expected: 4).body))
        let fault = try erased.withUnsafeBytes { try RequestFault(body: $0) }
        #expect(fault == RequestFault(.outOfOrder, ErasedAnswer.message, expected: 4))
        #expect(ErasedAnswer.refusal(erased) == nil)
    }

    @Test("a request to forget names a recipient with both names, and its answer comes back")
    func forget() throws {
        var reader = QueryReader()
        let request = ForgetRequest(app: "a", device: "d\u{301}")
        #expect(try request.body.withUnsafeBytes { try reader.forget($0) } == request.recipient)
        for body in [#"{"app":"a"}"#, #"{"app":"","device":"d"}"#, #"{"app":"a","device":"d\u0000"}"#, "{}"] {
            let fault = #expect(throws: RequestFault.self) {
                try Array(body.utf8).withUnsafeBytes { try reader.forget($0) }
            }
            #expect(fault?.code == .malformed)
        }
        let answer = ForgetAnswer(log: "7f3a", batch: 3, events: 2, answers: 1, milliseconds: 5, poison: ["0a"])
        #expect(try answer.body.withUnsafeBytes { try ForgetAnswer(body: $0) } == answer)
    }
}
