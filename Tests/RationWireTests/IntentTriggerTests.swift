import RationModel
import Testing

@Suite("Triggers and dates in intents")
struct IntentTriggerTests {
    static let eight = Instant(milliseconds: 1_796_112_000_000)

    static func trigger(_ json: String) throws -> Trigger? {
        let batch = try batch(Line.schedule.with(["trigger": json]).text)
        return batch.rejections.isEmpty ? batch.intents.first?.trigger : nil
    }

    @Test(
        "What is read",
        arguments: [
            (#"{"at":"2026-12-01T08:00:00Z"}"#, .at(eight)), (#"{"at":1796112000000}"#, .at(eight)),
            (#"{"at":1796112000000.0}"#, .at(eight)), (#"{"at":1.796112e12}"#, .at(eight)),
            (#"{"at":"2026-12-01T05:00:00.000-03:00"}"#, .at(eight)), (#"{"at":0}"#, .at(Instant(milliseconds: 0))),
            (#"{"at":-1}"#, .at(Instant(milliseconds: -1))), (#"{"at":9223372036854775807}"#, .at(.distantFuture)),
            (#"{"after":1}"#, .after(seconds: 1)), (#"{"after":0.5}"#, .after(seconds: 0.5)),
            (#"{"after":-1}"#, .after(seconds: -1)), (#"{"every":3600}"#, .every(seconds: 3600)),
            (#"{"every":6e1,"at":null,"calendar":null,"repeats":null}"#, .every(seconds: 60)),
        ] as [(String, Trigger)])
    func read(json: String, trigger: Trigger) throws {
        #expect(try Self.trigger(json) == trigger)
    }

    @Test(
        "What is refused",
        arguments: [
            (#"{}"#, "trigger.empty trigger"), (#"{"at":null}"#, "trigger.empty trigger"),
            (#"{"at":0,"after":1}"#, "intent.malformed trigger"),
            (#"{"after":1,"every":60}"#, "intent.malformed trigger"),
            (#"{"at":0,"calendar":{}}"#, "intent.malformed trigger"),
            (#"{"at":0,"repeats":true}"#, "intent.malformed trigger.repeats"),
            (#"{"after":1,"timeZone":"UTC"}"#, "intent.malformed trigger.timeZone"),
            (#"{"calendar":{"hour":8},"repeats":1}"#, "intent.malformed trigger.repeats"),
            (#"{"calendar":{},"timeZone":5}"#, "intent.malformed trigger.timeZone"),
            (#"{"calendar":[]}"#, "intent.malformed trigger.calendar"),
            (#"{"calendar":8}"#, "intent.malformed trigger.calendar"),
            (#"{"when":0}"#, "intent.malformed trigger.when"), (#"{"at":0,"At":null}"#, "intent.malformed trigger.At"),
            (#"{"at":true}"#, "intent.malformed trigger.at"), (#"{"at":1.5}"#, "intent.malformed trigger.at"),
            (#"{"at":1e300}"#, "intent.malformed trigger.at"),
            (#"{"at":9223372036854775808.0}"#, "intent.malformed trigger.at"),
            (#"{"at":"2026-12-01"}"#, "intent.malformed trigger.at"), (#"{"at":"0"}"#, "intent.malformed trigger.at"),
            (#"{"at":{}}"#, "intent.malformed trigger.at"), (#"{"after":"1"}"#, "intent.malformed trigger.after"),
            (#"{"every":[60]}"#, "intent.malformed trigger.every"), ("[]", "intent.malformed trigger"),
            (#""at""#, "intent.malformed trigger"),
        ])
    func refused(json: String, expected: String) throws {
        #expect(try refusal(Line.schedule.with(["trigger": json]).text) == expected)
    }

    @Test("`expires` is a date like any other; absent or null it is never")
    func expires() throws {
        for (json, date) in [
            (#""2026-12-01T08:00:00Z""#, Self.eight), ("1796112000000", Self.eight), ("null", .distantFuture),
        ] {
            #expect(try batch(Line.schedule.with(["expires": json]).text).intents.first?.expires == date)
        }
        #expect(try batch(Line.schedule.text).intents.first?.expires == .distantFuture)
        for json in ["1.5", #""""#, #""tomorrow""#, "{}", "1e19"] {
            #expect(try refusal(Line.schedule.with(["expires": json]).text) == "intent.malformed expires")
        }
    }

    @Test("`overdue` is drop unless it says deliver")
    func overdue() throws {
        for (json, value) in [(#""drop""#, Overdue.drop), (#""deliver""#, .deliver), ("null", .drop)] {
            #expect(try batch(Line.schedule.with(["overdue": json]).text).intents.first?.overdue == value)
        }
    }
}
