import RationBus
import TestProcesses
import Testing

@Suite("Reading the log")
struct LogReadingTests {
    private static let policy = #"{"types":{"habit":{"priority":0},"entry":{"priority":1}}}"#
    private let hour = WallClock.milliseconds + 3_600_000
    private let broker: BrokerProcess
    private let client: Client
    private let reader: Client

    init() throws {
        broker = try BrokerProcess(policy: Self.policy, ["--retentionBytes", "1MiB"])
        client = try Client(broker, to: broker.intents)
        reader = try Client(broker, to: broker.queries)
    }

    /// Two apps, two devices, two types, and a cancellation of each first one.
    private func publishMixture() throws {
        for app in ["com.one", "com.two"] {
            for device in ["d1", "d2"] {
                let lines = (0..<4).map {
                    IntentLine.schedule("n\($0)", on: device, app: app, at: hour, type: $0 < 2 ? "habit" : "entry")
                }
                try client.publish(lines, expecting: "h")
                try client.publish([IntentLine.cancel("n0", on: device, app: app)], expecting: "c")
            }
        }
    }

    @Test("a page begins behind its position and tells where to go on, the ends and the log")
    func position() throws {
        try publishMixture()
        let page = try reader.read(#"{"after":7}"#)
        #expect(page.sequences == Array(8...20))
        #expect((page.first, page.last, page.next) == (1, 20, 20))
        #expect(page.log == broker.log)
        let end = try reader.read(#"{"log":"\#(broker.log)","after":20}"#)
        #expect(end.events.isEmpty)
        #expect(end.next == 20)
    }

    @Test(
        "a filter gives what all its lists name, and next moves past what it leaves out",
        arguments: [
            ["kinds": ["cancelled"]], ["types": ["entry"]], ["apps": ["com.two"]], ["devices": ["d2"]],
            ["kinds": ["accepted"], "types": ["habit"], "apps": ["com.one"], "devices": ["d1", "d2"]],
            ["kinds": ["due"]], ["apps": ["com.three"]],
        ])
    func filter(_ lists: [String: [String]]) throws {
        try publishMixture()
        let wanted = try broker.events().filter { event in
            lists.allSatisfy { name, values in
                values.contains(event["data"]?[String(name.dropLast())]?.text ?? "")
            }
        }
        let members = lists.map { name, values in #""\#(name)":[\#(values.map { "\"\($0)\"" }.joined(separator: ","))]"#
        }
        let page = try reader.read(#"{"after":0,\#(members.joined(separator: ","))}"#)
        #expect(page.events == wanted)
        #expect(page.next == 20)
    }

    @Test("most bounds the events of a page, mostBytes its bytes but for the first event")
    func bounds() throws {
        try publishMixture()
        let three = try reader.read(#"{"after":0,"most":3}"#)
        #expect(three.sequences == [1, 2, 3])
        #expect(three.next == 3)
        let one = try reader.read(#"{"after":3,"mostBytes":1}"#)
        #expect(one.sequences == [4])
        #expect(one.next == 4)
        let answer = try reader.ask("read", #"{"after":0,"mostBytes":1500}"#)
        #expect(answer.frames[3].count <= 1500)
        let page = try Client.page(answer)
        #expect(page.sequences.count > 1)
        #expect(page.next == page.sequences.last)
    }

    @Test("a page that is full of what the filter leaves out still goes on from its last event")
    func fullWithFilter() throws {
        try publishMixture()
        let page = try reader.read(#"{"after":0,"kinds":["cancelled"],"most":1}"#)
        #expect(page.sequences == [5])
        let rest = try reader.read(#"{"after":\#(page.next),"kinds":["cancelled"]}"#)
        #expect(rest.sequences == [10, 15, 20])
    }

    @Test("a read that waits is answered when an event comes")
    func waits() throws {
        try reader.send(["ration/1 read", "1", #"{"after":0,"waitMs":60000}"#])
        // Answered behind the read on the same connection, so the read waits by then.
        try reader.send(["ration/1 status", "2", ""])
        #expect(try reader.receive().number == "2")
        try client.publish([IntentLine.schedule("a", at: hour)], expecting: "h")
        let page = try Client.page(try reader.receive())
        #expect(page.sequences == [1])
    }

    @Test("a read that waits in vain tells how far it has looked")
    func waitsInVain() throws {
        try reader.send(["ration/1 read", "1", #"{"after":0,"waitMs":1000,"devices":["d9"]}"#])
        try client.publish([IntentLine.schedule("a", at: hour)], expecting: "h")
        let page = try Client.page(try reader.receive())
        #expect(page.events.isEmpty)
        #expect(page.next == 1)
    }

    @Test("a position of another log or past the end is cursorAhead")
    func cursorAhead() throws {
        try publishMixture()
        #expect(try reader.ask("read", #"{"log":"elsewhere","after":1}"#).error == "cursorAhead")
        #expect(try reader.ask("read", #"{"after":21}"#).error == "cursorAhead")
        #expect(try reader.ask("read", #"{"after":21,"waitMs":1000}"#).error == "cursorAhead")
        #expect(try reader.ask("read", #"{"after":20}"#).error == nil)
    }

    @Test("what retention lets go moves first, and a reader behind it gets what is kept")
    func retention() throws {
        for round in 0..<10 {
            try client.publish(IntentLine.wave(devices: 64, ids: 60, at: hour + round), expecting: "h")
        }
        let last = 10 * 64 * 60
        let page = try reader.read(#"{"after":0,"most":10}"#)
        #expect(page.last == last)
        #expect(page.first > 1)
        #expect(page.sequences == Array(page.first..<page.first + 10))
        let all = try broker.events().compactMap(\.sequence)
        #expect(all == Array(page.first...last))
    }

    @Test("plan shows what is held and queued and at which position; an unknown device is unknown")
    func plan() throws {
        try client.publish(
            [
                IntentLine.schedule("late", at: hour + 1, type: "entry"), IntentLine.schedule("soon", at: hour),
                IntentLine.schedule("again", trigger: #"{"every":60}"#),
                IntentLine.of("device", more: #","reserved":62"#),
            ], expecting: "hqo")
        let plan = try broker.plan().body
        #expect(plan["app"] == "com.example.habits")
        #expect(plan["device"] == "d1")
        #expect(plan["held"]?.list?.map { $0["id"] } == ["again", "soon"])
        #expect(plan["queued"]?.list?.map { $0["id"] } == ["late"])
        let late = try #require(plan["queued"]?.list?.first)
        #expect(late["type"] == "entry")
        #expect(late["priority"] == 1)
        #expect(late["fireDate"]?.text.flatMap(Instants.milliseconds) == hour + 1)
        #expect(late["requestedDate"] == late["fireDate"])
        #expect(plan["sequence"]?.integer == (try broker.status()["last"]?.integer))
        #expect(try broker.plan(device: "d9").error == "unknown")
    }
}
