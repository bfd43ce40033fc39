import RationModel
import RationWire
import Testing

@Suite("holding: what devices hold, as it is asked for and told")
struct HoldingTests {
    @Test("a request is read back, and one with too many devices is refused")
    func request() throws {
        func recipients(_ count: Int) -> [DevicesRequest.Recipient] {
            (0..<count).map { DevicesRequest.Recipient(app: "com.example", device: "d\($0)") }
        }
        var reader = QueryReader()
        let limit = HoldingRequest.limit
        let body = HoldingRequest(recipients(limit)).body
        #expect(try body.withUnsafeBytes { try reader.holding($0) } == recipients(limit))
        let error = #expect(throws: RequestFault.self) {
            try HoldingRequest(recipients(limit + 1)).body.withUnsafeBytes { try reader.holding($0) }
        }
        #expect(error?.message == "'devices' is not a list of at most \(limit) objects {app, device}")
    }

    @Test("a line is read back as it was told")
    func line() throws {
        var pattern = CalendarPattern()
        (pattern.weekday, pattern.hour) = (3, 8)
        let at = Instant(milliseconds: 1_800_000_000_000)
        let repetitions: [ToldHolding.Repetition] = [
            .never, .interval(milliseconds: 60_000), .calendar(pattern, timeZone: ""),
            .calendar(pattern, timeZone: "Europe/Madrid"),
        ]
        let holding = ToldHolding(
            delivery: .local, timeZone: "Asia/Kolkata",
            held: repetitions.enumerated().map { place, repetition in
                ToldHolding.Notification(
                    id: "n\"\(place)", fireDate: at, expires: place == 0 ? at : nil, repetition: repetition,
                    content: Array(#"{"title":"é"}"#.utf8))
            })
        var reader = ToldHoldingReader()
        #expect(try holding.line.withUnsafeBytes { try reader.read($0) } == holding)
        #expect(try ToldHolding.unknown.withUnsafeBytes { try reader.read($0) } == nil)
    }

    @Test(
        "a line that is not what the broker tells is refused",
        arguments: [
            "", "[]", #"{"delivery":"local"}"#, #"{"delivery":"fax","timeZone":"UTC","held":[]}"#,
            #"{"delivery":"local","timeZone":"UTC","held":[{"id":"n","fireDate":"2027-01-01T00:00:00Z"}]}"#,
            #"{"delivery":"local","timeZone":"UTC","held":[{"id":"n","fireDate":"x","content":{}}]}"#,
            #"{"delivery":"local","timeZone":"UTC","held":[{"id":"n","fireDate":0,"content":{},"everyMs":0}]}"#,
            #"{"delivery":"local","timeZone":"UTC","held":[{"id":"n","fireDate":0,"content":{},"calendar":{"hour":24}}]}"#,
        ])
    func faults(line: String) {
        var reader = ToldHoldingReader()
        #expect(throws: AnswerFault.self) { try Array(line.utf8).withUnsafeBytes { try reader.read($0) } }
    }
}
