import RationModel
import RationWire
import TestSupport
import Testing

@Suite("Events as subscribers get them")
struct ReceivedEventTests {
    static let now = Instant(milliseconds: 1_764_500_000_123)

    static func read(_ text: String) throws -> ReceivedEvent {
        var reader = ReceivedEventReader()
        return try Array(text.utf8).withUnsafeBytes { try reader.read($0) }
    }

    /// What the writer had, as a reader can know it.
    static func expected(_ record: EventRecord) -> ReceivedEvent {
        guard !record.kind.isFeedback else { return expected(feedback: record) }
        func written(_ instant: Instant) -> Instant {
            min(max(instant, Instant.writable.lowerBound), Instant.writable.upperBound)
        }
        var event = ReceivedEvent(
            sequence: 1234, time: now, kind: record.kind, app: record.app, device: record.device, id: record.id,
            type: record.type, priority: record.priority, fireDate: written(record.fireDate),
            requestedDate: written(record.requestedDate), batch: 77)
        (event.cause, event.reason, event.isFinal) = (record.cause, record.reason, record.isFinal)
        if record.kind == .due {
            event.delivery = record.delivery
            event.validUntil = written(record.validUntil)
            event.content = Array(record.content.utf8)
        }
        return event
    }

    private static func expected(feedback record: EventRecord) -> ReceivedEvent {
        var event = ReceivedEvent(
            sequence: 1234, time: now, feedback: record.kind, app: record.app, device: record.device, id: record.id,
            batch: 77)
        (event.action, event.failure, event.textLength) = (record.action, record.failure, record.textLength)
        return event
    }

    @Test("What is written is read: generated events of every kind", arguments: UInt64(1)...4)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            var record = EventRecord.random(app: "com.example", device: "d\"é/😀", using: &random)
            record.content = record.kind == .due ? #"{"body":"\"é","userInfo":{"a":[1,2.5,null,true]}}"# : ""
            let read = try Self.read(EventWriterTests.written(record, now: Self.now))
            #expect(read == Self.expected(record), "seed \(seed)")
        }
    }

    @Test("Every kind, cause, reason and delivery is read")
    func words() throws {
        for kind in EventKind.planned {
            for cause in UInt8(0)...6 {
                for reason in UInt8(0)...10 {
                    var record = EventRecord(kind)
                    record.cause = try #require(EventCause(rawValue: cause))
                    record.reason = try #require(EventReason(rawValue: reason))
                    record.delivery = reason % 2 == 0 ? .local : .push
                    record.content = "{}"
                    let read = try Self.read(EventWriterTests.written(record, now: Self.now))
                    #expect(read == Self.expected(record).with(content: kind == .due ? "{}" : ""))
                }
            }
        }
    }

    @Test("Fields that wire.md does not know are left alone")
    func unknownFields() throws {
        let text = EventWriterTests.written(EventRecord(.accepted), now: Self.now)
        let more = text.replacing(#""data":{"#, with: #""traceparent":"00-1","data":{"later":[{}],"#)
        #expect(try Self.read(more) == Self.read(text))
    }

    static let faults: [(String, String, String)] = [
        (#""sequence":"00000000000000001234""#, #""sequence":1234"#, "sequence"),
        (#""sequence":"00000000000000001234""#, #""sequence":"0000000000000000123x""#, "sequence"),
        (#""sequence":"00000000000000001234""#, #""sequence":"99999999999999999999""#, "sequence"),
        (#""kind":"evicted""#, #""kind":"vanished""#, "data.kind"),
        (#""kind":"evicted""#, #""kind":"""#, "data.kind"),
        (#""reason":"slots""#, #""reason":"mood""#, "data.reason"),
        (#""reason":"slots""#, #""reason":"""#, "data.reason"),
        (#""reason":"slots""#, #""cause":7"#, "data.cause"),
        (#""final":true"#, #""final":"yes""#, "data.final"),
        (#""priority":3"#, #""priority":3.5"#, "data.priority"),
        (#""priority":3"#, #""priority":2147483648"#, "data.priority"),
        (#""batch":77"#, #""batch":"77""#, "data.batch"),
        (#""app":"com.example.habits","device""#, #""device""#, "data.app"),
        (#""device":"d1""#, #""device":null"#, "data.device"),
        (#""fireDate":"2026-12-01T08:00:00.000Z""#, #""fireDate":"2026-13-01T08:00:00.000Z""#, "data.fireDate"),
        (#""data":{"#, #""date":{"#, "data"),
    ]

    @Test("A field that is not what wire.md says is named", arguments: faults)
    func namedFaults(find: String, replacement: String, name: String) throws {
        var record = EventRecord(.evicted)
        (record.id, record.priority, record.reason, record.isFinal) = ("x", 3, .slots, true)
        record.fireDate = try #require(Instant(rfc3339: "2026-12-01T08:00:00Z"))
        let text = EventWriterTests.written(record, now: Self.now)
        let broken = text.replacing(find, with: replacement)
        #expect(broken != text)
        let fault = #expect(throws: EventFault.self) { try Self.read(broken) }
        #expect(fault?.message.contains("'\(name)'") == true, "\(fault?.message ?? "")")
    }

    @Test("Feedback's fields are what wire.md says, or named")
    func feedbackFaults() throws {
        var record = EventRecord(.action)
        (record.action, record.textLength) = ("reply", 5)
        let text = EventWriterTests.written(record, now: Self.now)
        let faults = [
            (#""textLength":5"#, #""textLength":-1"#, "data.textLength"),
            (#""textLength":5"#, #""textLength":2147483648"#, "data.textLength"),
            (#""action":"reply""#, #""action":5"#, "data.action"), (#""id":"n1""#, #""id":5"#, "data.id"),
        ]
        for (find, replacement, name) in faults {
            let broken = text.replacing(find, with: replacement)
            #expect(broken != text)
            let fault = #expect(throws: EventFault.self) { try Self.read(broken) }
            #expect(fault?.message.contains("'\(name)'") == true, "\(fault?.message ?? "")")
        }
    }

    @Test("A `due` without content, delivery or validUntil is refused")
    func due() throws {
        var record = EventRecord(.due)
        record.content = "{}"
        let text = EventWriterTests.written(record, now: Self.now)
        for name in ["content", "delivery", "validUntil"] {
            let fault = #expect(throws: EventFault.self) {
                try Self.read(text.replacing("\"\(name)\":", with: "\"other\(name)\":"))
            }
            #expect(fault?.message.contains("data.\(name)") == true)
        }
    }

    @Test("Bytes that were changed at random are read or refused, and never end the process", arguments: UInt64(1)...4)
    func hostile(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var reader = ReceivedEventReader()
        var refused = 0
        for _ in 0..<2_000 {
            var record = EventRecord.random(app: "a", device: "d", using: &random)
            record.content = record.kind == .due ? #"{"title":"T"}"# : ""
            var bytes = Array(EventWriterTests.written(record, now: Self.now).utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) where bytes.count > 1 {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = .random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.removeLast(bytes.count - max(1, place))
                }
            }
            do { _ = try bytes.withUnsafeBytes { try reader.read($0) } } catch { refused += 1 }
        }
        #expect(refused > 500, "seed \(seed)")
    }
}

extension ReceivedEvent {
    fileprivate func with(content: String) -> ReceivedEvent {
        var event = self
        event.content = Array(content.utf8)
        return event
    }
}
