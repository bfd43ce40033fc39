import RationModel
import RationWire
import Testing

@Suite("Asking where pushes for a device go")
struct DevicesRequestTests {
    private typealias Recipient = DevicesRequest.Recipient

    @Test("Request and answer come back as they were written, an unknown device as none")
    func roundTrip() throws {
        let recipients = [Recipient(app: "a", device: "é\""), Recipient(app: "b", device: "d")]
        let body = String(decoding: DevicesRequest(recipients).body, as: UTF8.self)
        #expect(try QueryReaderTests.read(body) { try $0.devices($1) } == recipients)
        let addresses: [DeviceAddress?] = [
            DeviceAddress(
                token: "aa", isSandbox: true, delivery: .local, registered: Instant(milliseconds: 1_796_112_000_123)),
            nil, DeviceAddress(token: "", isSandbox: false, delivery: .push, registered: nil),
        ]
        let read = try DevicesAnswer(addresses).body.withUnsafeBytes { try DevicesAnswer(body: $0, count: 3) }
        #expect(read.addresses == addresses)
        #expect(throws: AnswerFault.self) {
            try DevicesAnswer(addresses).body.withUnsafeBytes { try DevicesAnswer(body: $0, count: 2) }
        }
    }

    @Test("Names are told apart by their bytes, also where Unicode calls them equivalent")
    func bytes() {
        let (composed, decomposed) = (Recipient(app: "a", device: "\u{E9}"), Recipient(app: "a", device: "e\u{301}"))
        #expect(
            composed.device == decomposed.device && composed != decomposed && Set([composed, decomposed]).count == 2)
    }

    @Test("An address that is printed shows no token")
    func printed() {
        let address = DeviceAddress(token: "secret", isSandbox: false, delivery: .push, registered: nil)
        #expect("\(address)" == "a device with a token, production, push")
    }

    @Test(
        "What is refused",
        arguments: ["{}", #"{"devices":1}"#, #"{"devices":[1]}"#, #"{"devices":[{"app":"a"}]}"#, #"{"device":[]}"#])
    func refused(body: String) {
        let fault = #expect(throws: RequestFault.self) { try QueryReaderTests.read(body) { try $0.devices($1) } }
        #expect(fault?.code == .malformed)
    }

    @Test("A thousand devices at once, not one more", arguments: [1_000, 1_001])
    func limit(count: Int) throws {
        let body = DevicesRequest(Array(repeating: Recipient(app: "a", device: "d"), count: count)).body
        let read = {
            var reader = QueryReader(maximumValues: QueryReader.policyValues)
            return try body.withUnsafeBytes { try reader.devices($0) }.count
        }
        if count == 1_000 { #expect(try read() == 1_000) } else { #expect(throws: RequestFault.self) { try read() } }
    }
}
