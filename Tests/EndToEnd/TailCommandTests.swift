import Glibc
import TestProcesses
import Testing

@Suite("ration tail")
struct TailCommandTests {
    private static let policy = #"{"slots":3,"types":{"habit":{"priority":0},"entry":{"priority":1}}}"#
    private let broker: BrokerProcess
    private let client: Client
    private let hour = WallClock.milliseconds + 3_600_000

    init() throws {
        broker = try BrokerProcess(policy: Self.policy)
        client = try Client(broker, to: broker.intents)
    }

    /// Two apps, two devices, two types; each kind but `expired` and `due`.
    private func publishMixture() throws {
        for app in ["com.one", "com.two"] {
            for device in ["d1", "d2"] {
                let lines = (0..<4).map {
                    IntentLine.schedule("n\($0)", on: device, app: app, at: hour + $0, type: $0 < 2 ? "habit" : "entry")
                }
                try client.publish(lines, expecting: "hq")
                try client.publish([IntentLine.schedule("now", on: device, app: app, at: hour - 1)], expecting: "h")
                try client.publish([IntentLine.cancel("n0", on: device, app: app)], expecting: "c")
            }
        }
    }

    @Test("--json --from start begins with what is in the log and goes on live: every event once, as it is in the log")
    func everyEventOnce() throws {
        func wave(_ round: Int) throws {
            try client.publish(IntentLine.wave(devices: 100, ids: 3, at: hour + round), expecting: "h")
        }
        for round in 0..<3 { try wave(round) }
        let tail = try broker.start("tail", "--json", "--from", "start", "--count", "2400")
        for round in 3..<6 { try wave(round) }
        // Then it has come to the end of the log, and to what is live.
        for _ in 0..<1_800 { _ = try tail.nextLine() }
        for round in 6..<8 { try wave(round) }
        #expect(try tail.wait() == .status(0), "\(tail.errorText)")
        let events = try JSON.lines(tail.output)
        #expect(events.compactMap(\.sequence) == Array(1...2_400))
        #expect(events == (try broker.events()))
    }

    @Test("--from NUMBER begins with that event")
    func fromNumber() throws {
        try publishMixture()
        let tail = try broker.run("tail", "--json", "--from", "7", "--count", "3")
        #expect(try JSON.lines(tail.output).map(\.sequence) == [7, 8, 9])
    }

    @Test("--from a time begins with that time's events, and --once ends with the log's last")
    func fromTime() throws {
        try publishMixture()
        let before = try broker.events()
        // The next batch is of a later millisecond.
        let time = try #require(before.last?["time"]?.text)
        let end = WallClock.milliseconds
        while WallClock.milliseconds <= end {}
        try client.publish([IntentLine.schedule("late", on: "d9", at: hour)], expecting: "h")
        let all = try broker.events()
        let same = before.prefix { $0["time"]?.text != time }.count
        for (from, skipped) in [(time, same), ("1h", 0), ("2020-01-01T00:00:00Z", 0)] {
            let tail = try broker.run("tail", "--json", "--once", "--from", from)
            #expect(try tail.wait() == .status(0), "\(tail.errorText)")
            #expect(try JSON.lines(tail.output) == Array(all.dropFirst(skipped)), "from \(from)")
        }
        let late = try #require(all.last?["time"]?.text)
        #expect(late > time)
        let filtered = try broker.run("tail", "--json", "--once", "--from", late, "--device", "d9")
        #expect(try JSON.lines(filtered.output) == Array(all.suffix(1)))
        let future = try broker.run("tail", "--json", "--once", "--from", "2100-01-01T00:00:00Z")
        #expect(future.outputText == "")
        let whole = try broker.run("tail", "--json", "--once")
        #expect(try JSON.lines(whole.output) == all)
    }

    @Test("log tells positions, bytes, times and retention of what is kept")
    func log() throws {
        let empty = try broker.run("log")
        #expect(
            empty.outputText
                == "log \(broker.log)\nno events yet\nkept are 1 GiB of events at most\n", "\(empty.errorText)")
        try publishMixture()
        let events = try broker.events()
        let log = try JSON.lines(try broker.run("log", "--json").output)[0]
        #expect(log["log"]?.text == broker.log)
        #expect(log["first"]?.integer == 1 && log["last"]?.integer == events.count)
        #expect(log["oldest"]?.text == events.first?["time"]?.text && log["newest"]?.text == events.last?["time"]?.text)
        let text = try broker.run("log").outputText
        #expect(text.contains("\nevents 1 to \(events.count), "), "\(text)")
    }

    @Test(
        "filters leave what all of them name, from the log and live",
        arguments: [
            ["kind": ["cancelled"]], ["kind": ["evicted", "queued"]], ["type": ["entry"]], ["app": ["com.two"]],
            ["device": ["d2"]], ["id": ["n1", "now"]],
            ["kind": ["accepted"], "type": ["habit"], "app": ["com.one"], "device": ["d1", "d2"], "id": ["n1"]],
        ])
    func filters(_ lists: [String: [String]]) throws {
        try publishMixture()
        let options = lists.flatMap { name, values in values.flatMap { ["--\(name)", $0] } }
        let twice = 2 * (try wanted(lists).count)
        try #require(twice > 0)
        let tail = try broker.start("tail", ["--json", "--from", "start", "--count", "\(twice)"] + options)
        _ = try tail.nextLine()
        for app in ["com.one", "com.two"] {
            for device in ["d1", "d2"] {
                try client.publish([IntentLine.of("remove", on: device, app: app)], expecting: "o")
            }
        }
        try publishMixture()
        let all = try wanted(lists)
        #expect(all.count >= twice)
        #expect(try tail.wait() == .status(0), "\(tail.errorText)")
        #expect(try JSON.lines(tail.output) == Array(all.prefix(twice)))
    }

    private func wanted(_ lists: [String: [String]]) throws -> [JSON] {
        try broker.events().filter { event in
            lists.allSatisfy { $1.contains(event["data"]?[$0]?.text ?? "") }
        }
    }

    @Test("--count ends it after so many events, --for after that time, with status 0")
    func ends() throws {
        try publishMixture()
        let counted = try broker.run("tail", "--json", "--from", "start", "--count", "2")
        #expect(counted.ending == .status(0))
        #expect(try JSON.lines(counted.output).map(\.sequence) == [1, 2])
        let begin = Monotonic.milliseconds
        let timed = try broker.run("tail", "--json", "--from", "start", "--for", "500ms")
        #expect(timed.ending == .status(0))
        #expect((500...5_000).contains(Monotonic.milliseconds - begin))
        #expect(try JSON.lines(timed.output) == (try broker.events()))
    }

    @Test("the last table of --summary has the counts of status, by type and kind")
    func summary() throws {
        try publishMixture()
        let late = IntentLine.schedule("late", on: "d3", at: WallClock.milliseconds - 600_000, type: "entry")
        try client.publish([late], expecting: "h")
        let deadline = Deadline()
        while try broker.status()["events"]?["due"] != 1 { try deadline.require("it is due", #_sourceLocation) }
        let events = try broker.events()
        let tail = try broker.run("tail", "--from", "start", "--summary", "--count", "\(events.count)")
        #expect(tail.ending == .status(0), "\(tail.errorText)")
        let table = try SummaryTable(tail)
        let status = try #require(broker.status()["events"])
        for kind in SummaryTable.kinds {
            #expect(table["all", kind] == status[kind]?.integer, "\(kind) in \(tail.outputText)")
            for type in ["entry", "habit", "unknown"] {
                let count = events.count { $0["data"]?["kind"]?.text == kind && $0["data"]?["type"]?.text == type }
                #expect(table[type, kind] == count, "\(type) \(kind)")
            }
        }
    }

    @Test("a line tells when, what, of which recipient, and why; off a terminal it has no escape codes")
    func readable() throws {
        try publishMixture()
        let events = try broker.events()
        let tail = try broker.run("tail", "--from", "start", "--summary", "--count", "\(events.count)")
        #expect(!tail.output.contains(0x1B) && !tail.errors.contains(0x1B))
        let lines = tail.outputLines
        let index = try #require(events.firstIndex { $0["data"]?["kind"] == "evicted" })
        let (event, data) = (events[index], try #require(events[index]["data"]))
        let words = [
            event["time"], "evicted", "slots", "com.one/d1", data["id"], data["type"], "p=1", "fires", data["fireDate"],
        ].map { $0?.text ?? "" }
        #expect(lines[index].split(separator: " ").map(String.init) == words)
        #expect(lines[0].split(separator: " ").dropFirst(2).first == "new", "\(lines[0])")
    }

    @Test("it ends when whoever reads it has gone, also when nothing more happens")
    func closedOutput() throws {
        try publishMixture()
        let script = #""$0" tail --from start --events "$1" --queries "$2" | head -n 1"#
        let pipeline = try ChildProcess(
            "/bin/sh", ["-c", script, Executables.ration(), broker.events, broker.queries])
        #expect(try pipeline.wait() == .status(0), "\(pipeline.errorText)")
        #expect(pipeline.outputLines.count == 1)
    }

    @Test("SIGTERM and SIGINT end it with status 0", arguments: [SIGTERM, SIGINT])
    func signals(_ signal: Int32) throws {
        try publishMixture()
        let tail = try broker.start("tail", "--from", "start")
        _ = try tail.nextLine()
        tail.send(signal: signal)
        #expect(try tail.wait() == .status(0), "\(tail.errorText)")
        #expect(tail.errorText.split(separator: "\n").allSatisfy { $0.contains("catching up") }, "\(tail.errorText)")
    }

    @Test("a broker that goes and comes back is told, and followed from where it was left")
    func brokerAwayAndBack() throws {
        try publishMixture()
        let tail = try broker.start("tail", "--json", "--from", "start")
        let before = try broker.events()
        for event in before { #expect(try tail.nextLine().map { try JSON($0) } == event) }
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        try tail.waitForErrors(containing: "the broker is away")
        let again = try broker.again()
        try Client(again, to: again.intents).publish(IntentLine.wave(devices: 5, ids: 2, at: hour), expecting: "h")
        for event in try again.events().dropFirst(before.count) {
            #expect(try tail.nextLine().map { try JSON($0) } == event)
        }
        try tail.waitForErrors(containing: "the broker is back")
        tail.send(signal: SIGTERM)
        #expect(try tail.wait() == .status(0))
    }

    @Test("a broker that goes and another that comes are told, and what the new one decides is followed")
    func anotherBroker() throws {
        try publishMixture()
        let tail = try broker.start("tail", "--json", "--from", "start")
        for event in try broker.events() { #expect(try tail.nextLine().map { try JSON($0) } == event) }
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        try tail.waitForErrors(containing: "the broker is away")
        try broker.removeStore()
        let again = try broker.again()
        try Client(again, to: again.intents).publish(IntentLine.wave(devices: 5, ids: 2, at: hour), expecting: "h")
        for event in try again.events() { #expect(try tail.nextLine().map { try JSON($0) } == event) }
        try tail.waitForErrors(containing: "the broker is back")
        #expect(tail.errorText.contains(again.log), "another log is told: \(tail.errorText)")
        tail.send(signal: SIGTERM)
        #expect(try tail.wait() == .status(0))
    }
}
