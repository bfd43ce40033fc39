import TestProcesses
import Testing

@Suite("ration policy")
struct PolicyCommandTests {
    private let broker: BrokerProcess
    private let hour = WallClock.milliseconds + 3_600_000

    init() throws {
        broker = try BrokerProcess(policy: "slots: 64\n")
    }

    private func file(_ text: String, _ name: String = "new.yaml") throws -> String {
        try broker.folder.write(text, to: name)
    }

    @Test("show prints the policy in force with every default, behind a line that tells its revision and its file")
    func show() throws {
        let process = try broker.run("policy", "show")
        #expect(process.ending == .status(0), "\(process.errorText)")
        let lines = process.outputLines
        #expect(lines[0].hasPrefix("# revision 1, since "))
        #expect(lines[0].hasSuffix("after event 0, from \(broker.folder.path)/policy.yaml"))
        let policy = try JSON(lines.dropFirst().joined(separator: "\n"))
        #expect(policy["slots"] == 64)
        #expect(policy["grace"] == "1h")
        #expect(policy["order"] == "soonest")
    }

    @Test("show --json prints the broker's answer as it is")
    func showJSON() throws {
        let process = try broker.run("policy", "show", "--json")
        #expect(process.ending == .status(0))
        #expect(process.output == (try broker.askPolicy(#"{"do":"read"}"#).bytes) + [0x0A])
    }

    @Test("put with fewer slots evicts what finds none, with cause policy, and the plan shows it")
    func putFewerSlots() throws {
        let client = try Client(broker, to: broker.intents)
        try client.publish((0..<10).map { IntentLine.schedule("n\($0)", at: hour + $0) }, expecting: "h")
        let process = try broker.run("policy", "put", try file("slots: 2\n"), "--wait", "20s")
        #expect(process.ending == .status(0), "\(process.errorText)")
        let told = process.outputLines
        #expect(
            told == ["revision 2 is in force after event 10; 1 recipient to replan", "all recipients are replanned"])
        let events = try broker.events(after: 10)
        #expect(events.map { $0.data["kind"] } == Array(repeating: "evicted", count: 8))
        for event in events {
            #expect(event.data["cause"] == "policy")
            #expect(event.data["reason"] == "slots")
            #expect(event.data["final"] == false)
        }
        let plan = try broker.plan().body
        #expect(plan["held"]?.list?.compactMap { $0["id"]?.text } == ["n0", "n1"])
        #expect(plan["queued"]?.list?.count == 8)
        #expect(try client.publish([IntentLine.schedule("last", at: hour + 99)]).outcomes == "q")
    }

    @Test("put with more slots gives them to what waited, with cause policy, live and in the log")
    func putMoreSlots() throws {
        #expect(try broker.replacePolicy(by: #"{"slots":1}"#)["revision"] == 2)
        let lines = (0..<4).map { IntentLine.schedule("n\($0)", at: hour + $0) }
        try Client(broker, to: broker.intents).publish(lines, expecting: "hq")
        let subscriber = try Subscriber(broker, ["accepted/", "heartbeat"])
        try subscriber.heartbeat()
        let last = try broker.events().count
        _ = try broker.replacePolicy(by: #"{"slots":3}"#)
        try broker.waitUntilReplanned()
        let events = try broker.events(after: last)
        #expect(events.map { $0.data["kind"] } == ["accepted", "accepted"])
        #expect(events.map { $0.data["cause"] } == ["policy", "policy"])
        #expect(try subscriber.events(until: last + 2).map { $0.event.data["cause"] } == ["policy", "policy"])
    }

    @Test("what show prints can be put again and is then unchanged; an earlier revision is shown and put by its number")
    func roundTrip() throws {
        let policy = try file(
            """
            slots: 60
            order: priority
            overflow: drop
            queueLimit: 7
            grace: 90m
            maxDelay: 36h
            unknownPriority: 5
            timeZone: Europe/Madrid
            types:
              habit: { priority: 0, prefix: ["a.b", "a \\"c\\""], keepsTime: true }
              entry: { maxDelay: 12h }
            """)
        #expect(try broker.run("policy", "put", policy).outputText.hasPrefix("revision 2 is in force after event 0; "))
        let shown = try broker.run("policy", "show").outputText
        let again = try broker.run("policy", "put", try file(shown, "shown.json"))
        #expect(again.ending == .status(0), "\(again.errorText)")
        #expect(again.outputText == "revision 2 is in force already: unchanged\n")
        let first = try broker.run("policy", "show", "--revision", "1").outputText
        let back = try broker.run("policy", "put", "-", input: first)
        #expect(back.outputText.hasPrefix("revision 3 is in force after event 0; "), "\(back.errorText)")
        #expect(try broker.askPolicy(#"{"do":"read"}"#).body["policy"]?["slots"] == 64)
        #expect(try broker.run("policy", "show", "--revision", "9").ending == .status(1))
    }

    @Test("quiet hours, caps and quotas come back as they were put")
    func rules() throws {
        let policy = try file(
            """
            types: { inactivity: { priority: 3 } }
            quotas: { inactivity: { min: 4, max: "10%" }, "*": { min: 14 } }
            quietHours:
              - { from: 22:00, to: 07:30, days: [mon, tue], types: [inactivity], exempt: [critical] }
              - { from: 12:00, to: 24:00 }
            caps:
              - { limit: 3, per: 1h }
              - { limit: 1, per: 7d, types: [inactivity], overflow: drop, exempt: [] }
            """)
        let put = try broker.run("policy", "put", policy)
        #expect(put.ending == .status(0), "\(put.errorText)")
        let shown = try broker.askPolicy(#"{"do":"read"}"#).body["policy"]
        let window: JSON? = shown?["quietHours"]?.list?.first
        #expect(window?["from"] == "22:00")
        #expect(window?["to"] == "07:30")
        #expect(window?["days"] == ["mon", "tue"])
        #expect(shown?["quietHours"]?.list?.last?["to"] == "24:00")
        #expect(shown?["quietHours"]?.list?.last?["exempt"] == ["timeSensitive", "critical"])
        #expect(shown?["caps"]?.list?.last?["per"] == "7d")
        #expect(shown?["caps"]?.list?.last?["exempt"] == [])
        #expect(shown?["quotas"]?["inactivity"]?["max"] == "10%")
        #expect(shown?["quotas"]?["*"]?["min"] == 14)
        let again = try broker.run("policy", "put", try file(broker.run("policy", "show").outputText, "shown.json"))
        #expect(again.outputText == "revision 2 is in force already: unchanged\n", "\(again.errorText)")
    }

    @Test("put and check tell every fault with file, line and column, status 1, and nothing changes")
    func faults() throws {
        let bad = try file("slots: 2\nordr: soonest\nqueueLimit: \"3\"\n")
        for action in ["put", "check"] {
            let process = try broker.run("policy", action, bad)
            #expect(process.ending == .status(1))
            #expect(process.output.isEmpty)
            let lines = process.errorText.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("ration: \(bad):2:1: ordr: ") == true, "\(process.errorText)")
            #expect(lines.last?.hasPrefix("ration: \(bad):3:13: queueLimit: ") == true, "\(process.errorText)")
        }
        #expect(try broker.policyRevision() == 1)
        #expect(try broker.askPolicy(#"{"do":"read"}"#).body["policy"]?["slots"] == 64)
    }

    @Test("check of a policy that can be used says so and changes nothing; a warning is told and is no fault")
    func check() throws {
        let process = try broker.run("policy", "check", try file("slots: 2\ncaps:\n  - { limit: 1, per: 7d }\n"))
        #expect(process.ending == .status(0), "\(process.errorText)")
        #expect(process.outputText == "\(broker.folder.path)/new.yaml: the broker would take it\n")
        #expect(process.errorText.hasPrefix("ration: \(broker.folder.path)/new.yaml:3:5: caps[0]: warning: "))
        #expect(try broker.policyRevision() == 1)
    }

    @Test("a file that is not there is told by its name, and without a broker put ends with status 1")
    func absent() throws {
        let missing = try broker.run("policy", "put", "\(broker.folder.path)/none.yaml")
        #expect(missing.ending == .status(1))
        #expect(missing.errorText.contains("none.yaml"))
        #expect(try broker.stop() == .status(0))
        let show = try broker.run("policy", "show")
        #expect(show.ending == .status(1))
        #expect(show.errorText.contains("\(broker.admin): no broker answers"))
    }

    @Test(
        "command lines that do not go together are told, status 2",
        arguments: [
            ["shwo"], ["put"], ["show", "x"], ["show", "--wait", "1s"], ["check", "x", "--wait", "1s"],
            ["put", "x", "--revision", "1"], ["show", "--admin", "tcp//x"],
        ])
    func usage(_ arguments: [String]) throws {
        let process = try ChildProcess(try Executables.ration(), ["policy"] + arguments)
        #expect(try process.wait() == .status(2), "\(process.errorText)")
    }

    @Test("put without a broker says so within seconds")
    func nobody() throws {
        let folder = try TemporaryFolder()
        let policy = try folder.write("slots: 3", to: "policy.yaml")
        let begin = Monotonic.milliseconds
        let put = try ration("policy", "put", policy, "--admin", "ipc://\(folder.path)/nobody")
        #expect(put.ending == .status(1) && put.errorText.contains("no broker answers"), "\(put.errorText)")
        #expect(Monotonic.milliseconds - begin < 15_000)
    }
}
