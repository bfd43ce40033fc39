import APNsSubscriber
import RationHTTP2Client
import RationModel
import RationWire
import Testing

@Suite("A push as a request")
struct RequestTests {
    private func header(_ name: String, _ push: Push) -> String? {
        push.fields.lines.first { $0.hasPrefix("\(name): ") }.map { String($0.dropFirst(name.count + 2)) }
    }

    private static let activity = #""activity":{"event":"update","contentState":{}}"#

    @Test(
        "Type, priority and topic by the content",
        arguments: [
            (#"{"title":"T"}"#, "alert", "10", TestPushes.app),
            (#"{"title":"T","interruptionLevel":"passive"}"#, "alert", "5", TestPushes.app),
            (#"{"title":"T","interruptionLevel":"timeSensitive"}"#, "alert", "10", TestPushes.app),
            (#"{"title":"T","interruptionLevel":"critical"}"#, "alert", "10", TestPushes.app),
            (#"{"badge":0}"#, "alert", "10", TestPushes.app),
            (#"{"kind":"background"}"#, "background", "5", TestPushes.app),
            (
                #"{"kind":"liveActivity",\#(activity)}"#, "liveactivity", "10",
                "\(TestPushes.app).push-type.liveactivity"
            ),
        ])
    func headers(content: String, type: String, priority: String, topic: String) throws {
        let push = try TestPushes.push(1, content: content, validUntil: 1_796_112_000_999)
        #expect(header("apns-push-type", push) == type && header("apns-priority", push) == priority)
        #expect(header("apns-topic", push) == topic && header("apns-expiration", push) == "1796112000")
        #expect(header("apns-collapse-id", push) == (type == "alert" ? "n1" : nil))
        #expect(push.path == "/3/device/\(TestPushes.token(1))" && push.shownPath == "/3/device/…")
    }

    @Test("A broadcast goes to its app's channel, without topic and device")
    func broadcast() throws {
        let push = try TestPushes.push(1, content: #"{"kind":"broadcast","channel":"a+/=",\#(Self.activity)}"#)
        #expect(push.path == "/4/broadcasts/apps/\(TestPushes.app)")
        #expect(header("apns-channel-id", push) == "a+/=" && header("apns-push-type", push) == "liveactivity")
        #expect(header("apns-topic", push) == nil && header("apns-id", push) == nil)
        #expect(header("apns-request-id", push) == push.identifier)
    }

    @Test(
        "An id of at most 64 bytes is the collapse-id; a longer one is told apart by a hash, in whole characters",
        arguments: [1, 63, 64, 65, 200, 256])
    func collapse(count: Int) throws {
        func collapse(_ id: String) throws -> String {
            var push = try TestPushes.push(1)
            push.id = id
            return try #require(header("apns-collapse-id", push))
        }
        for letter in ["a", "é", "😀"] {
            let id =
                String(repeating: "a", count: (count - 1) % letter.utf8.count)
                + String(repeating: letter, count: max(1, (count - 1) / letter.utf8.count))
            let text = try collapse(id)
            #expect(text.utf8.count <= 64 && !text.isEmpty && !text.unicodeScalars.contains("\u{FFFD}"))
            #expect((text == id) == (id.utf8.count <= 64))
            #expect(try collapse(id + "b") != text)
        }
    }

    @Test("apns-id is a UUID that depends on the event alone, and no two events share one")
    func identifier() throws {
        var seen: Set<String> = []
        for sequence in 1...2_000 {
            let push = try TestPushes.push(sequence)
            let parts = push.identifier.split(separator: "-").map(\.count)
            try #require(parts == [8, 4, 4, 4, 12])
            let same = try TestPushes.push(sequence, content: #"{"title":"other"}"#)
            #expect(push.identifier == same.identifier)
            // RFC 9562: version 8 and the variant.
            let digits = Array(push.identifier)
            #expect(digits[14] == "8" && "89ab".contains(digits[19]))
            seen.insert(push.identifier)
        }
        #expect(seen.count == 2_000)
        var other = try TestPushes.push(1)
        other.source.log = "another"
        #expect(!seen.contains(other.identifier))
    }
}
