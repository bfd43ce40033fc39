import RationJSON
import RationModel
import RationWire
import Testing

@Suite("Events as CloudEvents")
struct EventWriterTests {
    static let log = "7f3a"

    static func written(_ record: EventRecord, sequence: UInt64 = 1234, batch: UInt64 = 77, now: Instant) -> String {
        let written = entries([record], sequence: sequence, batch: batch, now: now) { entry in
            var bytes = Array("before ".utf8)
            EventWriter(log: log).write(entry, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(written.joined().dropFirst("before ".count))
    }

    static func date(_ text: String) throws -> Instant { try #require(Instant(rfc3339: text)) }

    @Test("wire.md's example, byte for byte")
    func example() throws {
        var record = EventRecord(.evicted)
        (record.id, record.type, record.priority) = ("com.myapp.inactivityReminder.0", "inactivity", 3)
        record.fireDate = try Self.date("2026-12-01T08:00:00Z")
        record.requestedDate = record.fireDate
        (record.reason, record.isFinal) = (.slots, true)
        let expected =
            #"{"specversion":"1.0","id":"00000000000000001234","source":"/ration/7f3a","#
            + #""type":"ration.notification.evicted.v1","#
            + #""subject":"com.example.habits/d1/com.myapp.inactivityReminder.0","time":"2026-11-30T08:00:00.000Z","#
            + #""datacontenttype":"application/json","sequence":"00000000000000001234","#
            + #""data":{"kind":"evicted","app":"com.example.habits","device":"d1","id":"com.myapp.inactivityReminder.0","#
            + #""type":"inactivity","priority":3,"fireDate":"2026-12-01T08:00:00.000Z","#
            + #""requestedDate":"2026-12-01T08:00:00.000Z","reason":"slots","final":true,"batch":77}}"#
        #expect(Self.written(record, now: try Self.date("2026-11-30T08:00:00Z")) == expected)
    }

    @Test("A `due` carries content, delivery and how long it is valid, byte for byte")
    func due() throws {
        var record = EventRecord(.due)
        (record.isFinal, record.delivery, record.content) = (false, .local, #"{"title":"T"}"#)
        record.fireDate = try Self.date("2026-12-01T08:00:00Z")
        record.requestedDate = try Self.date("2026-12-01T07:00:00.5Z")
        record.validUntil = try Self.date("2026-12-01T09:00:00Z")
        let expected =
            #"{"specversion":"1.0","id":"09223372036854775807","source":"/ration/7f3a","type":"ration.notification.due.v1","#
            + #""subject":"com.example.habits/d1/n1","time":"2026-12-01T08:00:00.001Z","#
            + #""datacontenttype":"application/json","sequence":"09223372036854775807","#
            + #""data":{"kind":"due","app":"com.example.habits","device":"d1","id":"n1","type":"habit","priority":0,"#
            + #""fireDate":"2026-12-01T08:00:00.000Z","requestedDate":"2026-12-01T07:00:00.500Z","final":false,"#
            + #""content":{"title":"T"},"delivery":"local","validUntil":"2026-12-01T09:00:00.000Z","batch":1}}"#
        #expect(
            Self.written(record, sequence: UInt64(Int64.max), batch: 1, now: try Self.date("2026-12-01T08:00:00.001Z"))
                == expected)
    }

    @Test(
        "Names that need escapes come back as they were, in the subject too",
        arguments: [
            ("d\"1", "a\\b"), ("日本", "é/\"\\\"/"), ("\\", "\""), ("d", "/"),
            ("😀", "id with spaces and \"quotes\" at the end\""),
        ])
    func escapes(device: String, id: String) throws {
        var record = EventRecord(.accepted)
        (record.device, record.id, record.cause) = (device, id, .promoted)
        let text = Self.written(record, now: Instant(milliseconds: 0))
        var parser = JSONParser()
        let event = try parser.parse(Array(text.utf8))
        #expect(event["subject"]?.text == "com.example.habits/\(device)/\(id)")
        let data = try #require(event["data"])
        #expect(data["device"]?.text == device && data["id"]?.text == id && data["cause"]?.text == "promoted")
        #expect(data["reason"] == nil && data["final"] == nil && data["content"] == nil && data["validUntil"] == nil)
    }

    @Test("Every kind, cause and reason has its own word")
    func words() throws {
        let causes = (0...5).compactMap { EventCause(rawValue: $0).map { "\($0.name)" } }
        let reasons = (0...10).compactMap { EventReason(rawValue: $0).map { "\($0.name)" } }
        #expect(causes == ["", "new", "replaced", "recurring", "promoted", "moved"])
        #expect(
            reasons == [
                "", "expires", "late", "overdue", "moved", "never", "slots", "queueFull", "delay", "cap",
                "unregistered",
            ])
        #expect(
            EventKind.planned.map { "\($0.name)" } == ["due", "expired", "cancelled", "evicted", "queued", "accepted"])
        var parser = JSONParser()
        for kind in EventKind.allCases {
            var record = EventRecord(kind)
            record.content = "{}"
            let event = try parser.parse(Array(Self.written(record, now: Instant(milliseconds: 0)).utf8))
            #expect(event["type"]?.text == "ration.notification.\(kind.name).v1")
            #expect(event["data"]?["kind"]?.text == "\(kind.name)")
        }
    }

    @Test(
        "Sequence numbers have 20 digits",
        arguments: [(0, "00000000000000000000"), (1, "00000000000000000001"), (.max, "18446744073709551615")]
            as [(UInt64, String)])
    func sequence(number: UInt64, digits: String) {
        var bytes: [UInt8] = [0x3A]
        EventWriter.writeSequence(number, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == ":" + digits)
    }

    static func topic(_ record: EventRecord) -> String {
        entries([record]) { entry in
            var bytes = Array("before".utf8)
            EventWriter.writeTopic(entry, to: &bytes)
            return String(decoding: bytes.dropFirst(6), as: UTF8.self)
        }.joined()
    }

    @Test("A topic is kind, type and app; a type that the policy does not name is unknown")
    func topics() {
        var record = EventRecord(.queued)
        #expect(Self.topic(record) == "queued/habit/com.example.habits")
        record.isTypeNamed = false
        #expect(Self.topic(record) == "queued/unknown/com.example.habits")
    }

    @Test("A topic is cut at 245 bytes, which names within their limits never reach")
    func longTopics() {
        var record = EventRecord(.cancelled)
        (record.app, record.type) = (String(repeating: "a", count: 128), String(repeating: "t", count: 64))
        #expect(Self.topic(record) == "cancelled/\(record.type)/\(record.app)")
        record.type = String(repeating: "t", count: 105)
        #expect(Self.topic(record).utf8.count == 244)
        record.type += "t"
        #expect(Self.topic(record) == "cancelled/\(record.type)/\(record.app)")
        record.type += "t"
        #expect(Self.topic(record) == "cancelled/\(record.type)/\(record.app.dropLast())")
    }
}
