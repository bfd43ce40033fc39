import RationBus
import Testing

@Suite("Envelopes")
struct EnvelopeTests {
    /// A message after its routing id, and the frames before the payload; `nil`: no envelope, no payload.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let frames: [String]
        let envelope: Int?

        init(_ name: String, _ frames: [String], _ envelope: Int?) {
            testDescription = name
            self.frames = frames
            self.envelope = envelope
        }
    }

    static let cases = [
        Case("DEALER", ["ration/1 hello", "1", "{}"], 0),
        Case("DEALER, empty frames in the payload", ["ration/1 publish", "", "7", ""], 0),
        Case("DEALER with a delimiter", ["", "ration/1 hello", "1", "{}"], 1),
        Case("REQ", ["", "ration/1 hello"], 1),
        Case("REQ with REQ_CORRELATE", ["\u{0}\u{0}\u{0}\u{1}", "", "ration/1 hello"], 2),
        Case("through two proxies", ["id1", "id2", "", "ration/1 hello", "1"], 3),
        Case("a second empty frame belongs to the payload", ["", "", "ration/1 hello"], 1),
        Case("another version of the protocol", ["ration/9 hello"], 0),
        Case("not the protocol, but with an envelope", ["", "GET /"], 1),
        Case("nothing after the empty frame", ["x", ""], 2),
        Case("no empty frame", ["a", "b", "c"], nil),
        Case("almost the protocol", ["ration", "1"], nil),
        Case("no frame", [], nil),
        Case("an envelope of 7", Array(repeating: "x", count: 6) + ["", "ration/1 hello"], 7),
        Case("an envelope of 8", Array(repeating: "x", count: 7) + ["", "ration/1 hello"], 8),
        Case("an envelope of 9", Array(repeating: "x", count: 8) + ["", "ration/1 hello"], nil),
    ]

    @Test("the envelope ends at the first empty frame, and is none before ration/", arguments: cases, [true, false])
    func split(_ example: Case, hasRoutingID: Bool) {
        let frames = ((hasRoutingID ? ["\u{0}peer"] : []) + example.frames).map(bytes)
        let envelope = withFrames(frames) { buffers in
            Envelope.split(frameCount: frames.count, hasRoutingID: hasRoutingID) { buffers[$0] }
        }
        let start = hasRoutingID ? 1 : 0
        #expect(envelope?.routingID == example.envelope.map { _ in 0..<start })
        #expect(envelope?.envelope == example.envelope.map { start..<(start + $0) })
        #expect(envelope?.payload == example.envelope.map { (start + $0)..<frames.count })
        #expect(envelope?.returned == example.envelope.map { 0..<(start + $0) })
    }

    @Test("a subscription is one byte, 0 or 1, and the prefix; all else is none")
    func subscription() {
        func read(_ frame: [UInt8]) -> Subscription? {
            frame.withUnsafeBytes { Subscription($0) }
        }
        #expect(read([1])?.prefix == [])
        #expect(read([1])?.isActive == true)
        #expect(read([0, 65])?.isActive == false)
        #expect(read([0, 65])?.prefix == [65])
        #expect(read([]) == nil)
        #expect(read([2, 65]) == nil)
    }

    private func withFrames<Result>(_ frames: [[UInt8]], _ body: ([UnsafeRawBufferPointer]) -> Result) -> Result {
        let buffers = frames.map { frame in
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: frame.count, alignment: 1)
            buffer.copyBytes(from: frame)
            return buffer
        }
        defer { buffers.forEach { $0.deallocate() } }
        return body(buffers.map { UnsafeRawBufferPointer($0) })
    }
}
