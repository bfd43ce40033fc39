import RationModel
import Testing

@Suite("Calendar triggers in intents")
struct IntentCalendarTests {
    private func calendar(_ json: String) throws -> (trigger: CalendarTrigger, zone: String)? {
        let batch = try batch(Line.schedule.with(["trigger": json]).text)
        guard batch.rejections.isEmpty, case .calendar(let trigger) = batch.intents.first?.trigger else { return nil }
        return (trigger, batch.bytes.text(trigger.timeZone))
    }

    @Test("all components are read, each into its place")
    func components() throws {
        let json = #"{"year":2027,"month":7,"day":4,"weekday":1,"hour":9,"minute":15,"second":30}"#
        let pattern = try #require(try calendar(#"{"calendar":\#(json)}"#)).trigger.pattern
        #expect(CalendarPattern.Component.allCases.map { pattern[$0] } == [2027, 7, 4, 1, 9, 15, 30])
    }

    @Test("null is absent, and a whole number may be written in any way")
    func numbers() throws {
        let json = #"{"calendar":{"minute":null,"hour":8.0,"day":null,"weekday":2e0}}"#
        let pattern = try #require(try calendar(json)).trigger.pattern
        #expect(CalendarPattern.Component.allCases.map { pattern[$0] } == [-1, -1, -1, 2, 8, -1, -1])
    }

    @Test(
        "it repeats when it says so",
        arguments: [
            ("", false), (#","repeats":null"#, false), (#","repeats":false"#, false), (#","repeats":true"#, true),
        ])
    func repeats(json: String, expected: Bool) throws {
        #expect(try calendar(#"{"calendar":{"hour":8}\#(json)}"#)?.trigger.repeats == expected)
        #expect(try calendar(#"{"at":null\#(json),"calendar":{"hour":8}}"#)?.trigger.repeats == expected)
    }

    @Test("the zone's name is kept byte for byte, known or not; without one it floats")
    func zones() throws {
        for zone in ["Europe/Madrid", "Nowhere", " UTC", "e\u{301}"] {
            let read = try #require(try calendar(#"{"timeZone":"\#(zone)","calendar":{"hour":8}}"#))
            #expect(Array(read.zone.utf8) == Array(zone.utf8))
        }
        for json in [#"{"calendar":{"hour":8}}"#, #"{"calendar":{"hour":8},"timeZone":null}"#] {
            #expect(try calendar(json)?.trigger.timeZone.isEmpty == true)
        }
    }

    @Test("each line of a batch has its own zone")
    func batches() throws {
        let lines = ["Europe/Madrid", "Asia/Kathmandu"].map { zone in
            Line.schedule.with(["trigger": #"{"calendar":{"hour":8},"timeZone":"\#(zone)"}"#]).text
        }
        let batch = try batch(lines.joined(separator: "\n"))
        let zones = batch.intents.map { intent in
            if case .calendar(let trigger) = intent.trigger { batch.bytes.text(trigger.timeZone) } else { "" }
        }
        #expect(zones == ["Europe/Madrid", "Asia/Kathmandu"])
        // A refused line leaves no bytes of its trigger behind.
        let refused = try self.refusedBytes(#"{"calendar":{"hour":24},"timeZone":"Europe/Madrid"}"#)
        #expect(!refused.contains("Madrid"))
    }

    private func refusedBytes(_ json: String) throws -> String {
        String(decoding: try batch(Line.schedule.with(["trigger": json]).text).bytes.bytes, as: UTF8.self)
    }

    @Test(
        "what is refused",
        arguments: [
            (#"{"calendar":{}}"#, "trigger.empty trigger.calendar"),
            (#"{"calendar":{"hour":null}}"#, "trigger.empty trigger.calendar"),
            (#"{"calendar":{},"repeats":true,"timeZone":"UTC"}"#, "trigger.empty trigger.calendar"),
            (#"{"calendar":{"hour":24}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"weekday":0}}"#, "trigger.component trigger.calendar.weekday"),
            (#"{"calendar":{"month":13}}"#, "trigger.component trigger.calendar.month"),
            (#"{"calendar":{"day":-1}}"#, "trigger.component trigger.calendar.day"),
            (#"{"calendar":{"year":0}}"#, "trigger.component trigger.calendar.year"),
            (#"{"calendar":{"year":10000}}"#, "trigger.component trigger.calendar.year"),
            (#"{"calendar":{"minute":60}}"#, "trigger.component trigger.calendar.minute"),
            (#"{"calendar":{"second":65535}}"#, "trigger.component trigger.calendar.second"),
            (#"{"calendar":{"hour":9223372036854775807}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"hour":8.5}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"hour":1e300}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"hour":"8"}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"hour":true}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"hour":[8]}}"#, "trigger.component trigger.calendar.hour"),
            (#"{"calendar":{"hour":8,"second":5}}"#, "trigger.gap trigger.calendar.minute"),
            (#"{"calendar":{"weekday":2,"minute":5}}"#, "trigger.gap trigger.calendar.hour"),
            (#"{"calendar":{"hours":8}}"#, "intent.malformed trigger.calendar.hours"),
            (#"{"calendar":{"Hour":null}}"#, "intent.malformed trigger.calendar.Hour"),
            (#"{"calendar":{"hour":8},"timeZone":""}"#, "timeZone trigger.timeZone"),
            (#"{"calendar":null,"repeats":true}"#, "intent.malformed trigger.repeats"),
        ])
    func refused(json: String, expected: String) throws {
        #expect(try refusal(Line.schedule.with(["trigger": json]).text) == expected)
    }

    @Test("a message says the limit and the value")
    func messages() throws {
        for (value, found) in [("24", "24"), ("8.5", "8.5"), (#""8""#, "a string"), ("-1", "-1")] {
            let batch = try batch(Line.schedule.with(["trigger": #"{"calendar":{"hour":\#(value)}}"#]).text)
            #expect(batch.rejections.first?.message == "expected a whole number from 0 to 23, found \(found)")
        }
    }
}
