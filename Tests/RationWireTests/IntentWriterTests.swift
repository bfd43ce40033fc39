import RationModel
import RationWire
import Testing

@Suite("Writing intents")
struct IntentWriterTests {
    private func read(_ writer: IntentWriter) throws -> IntentBatch { try batch(writer.bytes).batch }

    private func text(_ range: ByteRange, _ batch: IntentBatch) -> String {
        let start = Int(range.offset)
        return String(decoding: batch.bytes.bytes[start..<start + Int(range.count)], as: UTF8.self)
    }

    @Test("a schedule reads back as it was written")
    func schedule() throws {
        var content = IntentWriter.Content()
        (content.title, content.subtitle, content.body) = ("Wasser \"jetzt\"", "s\n", "b\u{1F4A7}")
        (content.category, content.threadId, content.sound) = ("reminder", "water", "default")
        content.interruptionLevel = .timeSensitive
        content.relevanceScore = 0.25
        content.userInfo = ["b": "2", "a\"": "1"]
        var schedule = IntentWriter.Schedule(
            id: "p.ä", content: content, date: .at(Instant(milliseconds: 1_796_112_000_123)))
        (schedule.type, schedule.overdue) = ("habit", .deliver)
        schedule.expires = Instant(milliseconds: 1_796_126_400_000)
        var writer = IntentWriter()
        writer.schedule(schedule, app: "com.example.a", device: "d 1")
        let batch = try read(writer)
        let intent = try #require(batch.intents.first)
        #expect(batch.intents.count == 1 && batch.rejections.isEmpty)
        #expect(intent.operation == .schedule && intent.overdue == .deliver && intent.level == .timeSensitive)
        #expect(text(intent.app, batch) == "com.example.a" && text(intent.device, batch) == "d 1")
        #expect(text(intent.id, batch) == "p.ä" && text(intent.type, batch) == "habit")
        #expect(intent.trigger == .at(Instant(milliseconds: 1_796_112_000_123)))
        #expect(intent.expires == Instant(milliseconds: 1_796_126_400_000))
        #expect(
            text(intent.content, batch)
                == #"{"title":"Wasser \"jetzt\"","subtitle":"s\n","body":"b💧","sound":"default","threadId":"water","#
                + #""category":"reminder","interruptionLevel":"timeSensitive","relevanceScore":0.25,"#
                + #""userInfo":{"a\"":"1","b":"2"}}"#)
    }

    @Test("a calendar date floats and does not repeat")
    func calendar() throws {
        var pattern = CalendarPattern()
        (pattern.year, pattern.month, pattern.day) = (2028, 2, 29)
        (pattern.hour, pattern.minute, pattern.second) = (0, 5, 0)
        var content = IntentWriter.Content()
        content.title = "T"
        var writer = IntentWriter()
        writer.schedule(.init(id: "n", content: content, date: .calendar(pattern)), app: "a", device: "d")
        let intent = try #require(try read(writer).intents.first)
        #expect(intent.trigger == .calendar(CalendarTrigger(pattern: pattern, repeats: false, timeZone: .empty)))
        #expect(intent.expires == .distantFuture && intent.overdue == .drop)
    }

    @Test("cancels read back, a line each")
    func cancels() throws {
        var writer = IntentWriter()
        writer.cancel(id: "x.1", app: "a", device: "d")
        writer.cancel(prefix: "x.", app: "a", device: "d")
        let batch = try read(writer)
        #expect(batch.intents.map(\.operation) == [.cancelID, .cancelPrefix])
        #expect(batch.intents.map { text($0.id, batch) } == ["x.1", "x."])
    }
}
