import RationModel
import TestProcesses
import Testing

@Suite("ration explain")
struct ExplainTests {
    private let broker: BrokerProcess
    private let intents: Client
    /// 2030-01-01T12:00:00Z.
    private let noon = 1_893_499_200_000

    init() throws {
        broker = try BrokerProcess(
            policy: """
                slots: 4
                queueLimit: 2
                types:
                  habit: {priority: 0, prefix: [com.habit]}
                  nudge: {priority: 3}
                quietHours: [{from: "22:00", to: "07:30"}]
                caps: [{limit: 1, per: 1h, types: [nudge]}]
                """)
        intents = try Client(broker, to: broker.intents)
    }

    private func ask(_ id: String) throws -> JSON {
        try Client(broker, to: broker.queries).ask(
            "explain", #"{"app":"\#(IntentLine.app)","device":"d1","id":"\#(id)"}"#
        ).body
    }

    private func words(_ answer: JSON) -> [String] { answer["words"]?.list?.compactMap(\.text) ?? [] }

    private func kinds(_ answer: JSON) -> [String] { answer["events"]?.list?.compactMap { $0["kind"]?.text } ?? [] }

    @Test("one that is held is explained as data and in words, with its events")
    func held() throws {
        try intents.publish([IntentLine.schedule("com.habit.1", at: noon)], expecting: "h")
        let answer = try ask("com.habit.1")
        #expect(answer["state"] == "held")
        #expect(answer["sequence"] == 1)
        #expect(answer["type"] == "habit")
        #expect(answer["typeFrom"] == "prefix")
        #expect(answer["prefix"] == "com.habit")
        #expect(answer["priorityFrom"] == "types.habit.priority")
        #expect(answer["fireDate"] == "2030-01-01T12:00:00.000Z")
        #expect(answer["moves"] == [])
        #expect(answer["rank"] == 1)
        #expect(words(answer).first == "holds a slot and fires at 2030-01-01T12:00:00.000Z")
        #expect(kinds(answer) == ["accepted"])
        #expect(answer["events"]?.list?.first?["cause"] == "new")
        #expect(answer["events"]?.list?.first?["batch"] == 1)
    }

    @Test("one that waits is told its place, who holds the last slots, and what would give it one")
    func queued() throws {
        let lines = (0..<4).map { IntentLine.schedule("s\($0)", at: noon + $0 * 60_000) }
        try intents.publish(lines + [IntentLine.schedule("last", at: noon + 3_600_000)], expecting: "hq")
        let answer = try ask("last")
        #expect(answer["state"] == "queued")
        #expect(answer["rank"] == 5)
        #expect(answer["count"] == 5)
        #expect(answer["slots"] == 4)
        #expect(answer["displacedBy"]?.list?.map { $0["id"] } == ["s3", "s2", "s1"])
        #expect(answer["dateThatHolds"] == "2030-01-01T12:03:00.000Z")
        #expect(answer["priorityThatHolds"] == nil)
        #expect(words(answer).last == "a requested date of 2030-01-01T12:03:00.000Z would give it a slot")
        #expect(words(answer).contains("place 5 of 5 in the order soonest; the device has 4 slots"))
        #expect(kinds(answer) == ["queued"])
    }

    @Test("what would give a waiting one a slot does")
    func wayOut() throws {
        let lines = (0..<4).map { IntentLine.schedule("s\($0)", at: noon + $0 * 60_000) }
        try intents.publish(lines + [IntentLine.schedule("last", at: noon + 3_600_000)], expecting: "hq")
        let date = try #require(try ask("last")["dateThatHolds"]?.text)
        let again = IntentLine.schedule("last", trigger: #"{"at":"\#(date)"}"#)
        try intents.publish([again], expecting: "h")
        #expect(try ask("last")["state"] == "held")
    }

    @Test("a move by quiet hours tells the window in the zone of the device")
    func quiet() throws {
        let zone = IntentLine.of("device", more: #","timeZone":"Europe/Madrid""#)
        // 23:00 in UTC.
        try intents.publish([zone, IntentLine.schedule("night", at: noon + 11 * 3_600_000)], expecting: "oh")
        let answer = try ask("night")
        #expect(answer["timeZone"] == "Europe/Madrid")
        #expect(answer["requestedDate"] == "2030-01-01T23:00:00.000Z")
        #expect(answer["fireDate"] == "2030-01-02T06:30:00.000Z")
        #expect(answer["moves"]?.list?.count == 1)
        #expect(
            words(answer).contains(
                "moved to 2030-01-02T06:30:00.000Z (Wed 07:30) by quietHours[0], 22:00–07:30 in Europe/Madrid"))
    }

    @Test("a move by a cap tells the one beside it")
    func cap() throws {
        let lines = ["first", "second"].map { IntentLine.schedule($0, at: noon, type: "nudge") }
        try intents.publish(lines, expecting: "h")
        let answer = try ask("second")
        let move = try #require(answer["moves"]?.list?.first)
        #expect(move["rule"] == "caps[0]")
        #expect(move["to"] == "2030-01-01T13:00:00.000Z")
        #expect(move["beside"]?.list?.map { $0["id"] } == ["first"])
        #expect(
            words(answer).contains(
                "moved to 2030-01-01T13:00:00.000Z by caps[0], 1 in less than 1h, beside 'first' at 2030-01-01T12:00:00.000Z"
            ))
    }

    @Test("one that is gone is explained by its last event: evicted, cancelled, fired")
    func ended() throws {
        let lines = (0..<7).map { IntentLine.schedule("n\($0)", at: noon + $0 * 3_600_000) }
        try intents.publish(lines, expecting: "hqe")
        let evicted = try ask("n6")
        #expect(evicted["state"] == "ended")
        #expect(evicted["type"] == nil)
        #expect(kinds(evicted) == ["evicted"])
        #expect(words(evicted).count == 1)
        #expect(words(evicted).first?.contains("more waited than the policy's queueLimit") == true)
        try intents.publish([IntentLine.cancel("n0")], expecting: "c")
        #expect(words(try ask("n0")).first?.contains(", by a service; it was planned for 2030") == true)
        #expect(kinds(try ask("n0")) == ["accepted", "cancelled"])
        let critical = #"{"title":"Now","interruptionLevel":"critical"}"#
        let soon = IntentLine.schedule("soon", trigger: #"{"after":0.05}"#)
        try intents.publish([soon.replacing(#"{"title":"Water"}"#, with: critical)], expecting: "h")
        let due = try Client(broker, to: broker.queries).read(#"{"kinds":["due"],"waitMs":10000}"#)
        try #require(due.events.count == 1)
        let fired = try ask("soon")
        #expect(words(fired).first?.hasPrefix("fired at ") == true)
        #expect(kinds(fired) == ["accepted", "due"])
        #expect(fired["events"]?.list?.last?["final"] == true)
    }

    @Test("one that has never been is unknown, and so is one of another device")
    func unknown() throws {
        try intents.publish([IntentLine.schedule("n", at: noon)], expecting: "h")
        let client = try Client(broker, to: broker.queries)
        for (device, id) in [("d1", "other"), ("d2", "n")] {
            let answer = try client.ask(
                "explain", #"{"app":"\#(IntentLine.app)","device":"\#(device)","id":"\#(id)"}"#)
            #expect(answer.error == "unknown")
        }
        #expect(try client.ask("explain", #"{"app":"a","device":"d"}"#).error == "malformed")
        #expect(try intents.ask("explain", "{}").error == "unknown")
    }

    @Test("the newest twenty events are told, oldest first, out of a log that holds thousands of others")
    func manyEvents() throws {
        for round in 0..<25 {
            let others = (0..<400).map { IntentLine.schedule("n", on: "other-\($0)", at: noon + round * 1000) }
            try intents.publish([IntentLine.schedule("n", at: noon + round * 1000)] + others, expecting: "h")
        }
        let answer = try ask("n")
        let told = answer["events"]?.list ?? []
        #expect(told.count == 20)
        let dates = (5..<25).map { Instant(milliseconds: Int64(noon + $0 * 1000)).rfc3339 }
        #expect(told.map { $0["fireDate"]?.text } == dates)
        #expect(told.last?["cause"] == "replaced")
    }

    @Test("the command prints the words and a table of events; with --json the broker's answer; unknown is status 1")
    func command() throws {
        try intents.publish([IntentLine.schedule("com.habit.1", at: noon)], expecting: "h")
        let process = try broker.run("explain", IntentLine.app, "d1", "com.habit.1")
        #expect(process.ending == .status(0), "\(process.errorText)")
        let lines = process.outputLines
        #expect(lines.first == "\(IntentLine.app)/d1  com.habit.1  as of event 1")
        #expect(lines[1] == "  holds a slot and fires at 2030-01-01T12:00:00.000Z")
        let table = lines.suffix(2).map { $0.split(separator: " ").map(String.init) }
        #expect(table.first == ["event", "at", "kind", "why", "fire", "date", "batch"])
        #expect(table.last?.first == "1")
        #expect(table.last?.suffix(4) == ["accepted", "new", "2030-01-01T12:00:00.000Z", "1"])
        let json = try broker.run("explain", "--json", IntentLine.app, "d1", "com.habit.1")
        #expect(try JSON(json.output)["words"] == (try ask("com.habit.1")["words"]))
        let missing = try broker.run("explain", IntentLine.app, "d1", "nobody")
        #expect(missing.ending == .status(1))
        #expect(missing.output.isEmpty)
        #expect(missing.errorText.hasPrefix("ration: no notification 'nobody' of device 'd1' of the app "))
    }
}
