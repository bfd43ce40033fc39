import TestProcesses
import Testing

@Suite("The command")
struct CommandLineTests {
    private static let commands = [
        "analytics", "backup", "broker", "categories", "check", "clock", "demo", "explain", "forget", "log", "plan",
        "poison",
        "policy",
        "publish", "restore", "scheduler", "simulate", "snapshot", "status", "stop", "subscriber", "tail", "up",
    ]

    @Test("--help of each command names it, its options and an example; help names all commands", arguments: commands)
    func help(_ command: String) throws {
        for arguments in [[command, "--help"], ["help", command]] {
            let process = try ChildProcess(try Executables.ration(), arguments)
            #expect(try process.wait() == .status(0))
            #expect(process.outputText.contains("Usage: ration \(command)"))
            #expect(process.outputText.contains("--help"))
            #expect(process.outputText.contains("Example"))
            #expect(process.errors.isEmpty)
        }
        let all = try ration("--help")
        #expect(all.ending == .status(0))
        #expect(all.outputText.contains("  \(command) "))
    }

    @Test("a misspelt command or option is told with what was meant, status 2")
    func misspelt() throws {
        let command = try ration("brokr")
        #expect(command.ending == .status(2))
        #expect(command.errorText.contains("'broker'"))
        let option = try ration("broker", "--polcy", "x")
        #expect(option.ending == .status(2))
        #expect(option.errorText.contains("'--policy'"))
        #expect(option.output.isEmpty)
    }

    @Test("check tells every fault with file, line and column, and what was meant")
    func check() throws {
        let folder = try TemporaryFolder()
        let bad = try folder.write("slots: many\nordr: soonest\n", to: "bad.yaml")
        let faults = try ration("check", "--policy", bad)
        #expect(faults.ending == .status(1))
        #expect(faults.errorText.contains("\(bad):1:8: slots"))
        #expect(faults.errorText.contains("\(bad):2:1: ordr"))
        #expect(faults.errorText.contains("'order'"))
        let good = try ration("check", "--policy", "\(Executables.root)/deploy/policy.yaml")
        #expect(good.ending == .status(0))
        #expect(good.errors.isEmpty)
    }

    @Test("check tells what is worth a warning, once and with its place, and has nothing against it")
    func warning() throws {
        let folder = try TemporaryFolder()
        let policy = try folder.write("caps:\n  - {limit: 1, per: 7d}\n", to: "policy.yaml")
        let file = try folder.write("broker: {policy: policy.yaml}\n", to: "ration.yaml")
        let check = try ration("check", "--config", file, "--policy", policy)
        #expect(check.ending == .status(0))
        #expect(check.errorText.hasPrefix("\(policy):2:5: caps[0]: warning: "))
        #expect(check.errorText.split(separator: "\n").count == 1)
        #expect(check.outputText.contains("0 types"))
    }

    @Test("a broker does not start with a policy that check refuses")
    func refusedPolicy() throws {
        let folder = try TemporaryFolder()
        let policy = try folder.write(#"{"quietHours":[{"from":"22:00","to":"22:00"}]}"#, to: "policy.json")
        let broker = try ration("broker", "--data", "\(folder.path)/data", "--policy", policy)
        #expect(broker.ending == .status(1))
        #expect(broker.errorText.contains("quietHours[0].to"))
    }

    @Test("a broker takes its endpoints and its policy from a configuration, and an option wins")
    func configuration() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            """
            broker:
              data: data
              policy: { slots: 1 }
              intents: ipc://\(folder.path)/file-intents
              events: ipc://\(folder.path)/file-events
              queries: ipc://\(folder.path)/file-queries
              http: off
            """, to: "ration.yaml")
        let process = try ChildProcess(
            try Executables.ration(), ["broker", "--config", file, "--queries", "ipc://\(folder.path)/queries"])
        while let line = try process.nextLine(), line != "ready" {}
        #expect(process.outputText.contains("data \(folder.path)/data"))
        #expect(process.outputText.contains("ipc://\(folder.path)/file-intents"))
        #expect(process.outputText.contains("ipc://\(folder.path)/queries"))
        #expect(!process.outputText.contains("file-queries"))
        process.send(signal: 15)
        #expect(try process.wait() == .status(0))
    }

    @Test("simulate decides as the broker does, without one")
    func simulate() throws {
        let folder = try TemporaryFolder()
        let policy = try folder.write(#"{"slots":1}"#, to: "policy.json")
        let intents = [1, 2].map { IntentLine.schedule("n\($0)", trigger: #"{"after":\#($0)}"#) }
        let steps =
            #"{"now":1000,"intents":[\#(intents.joined(separator: ","))]}"# + "\n" + #"{"now":2500,"intents":[]}"#
        let process = try ration("simulate", "--policy", policy, "--plan", input: steps)
        #expect(process.ending == .status(0))
        let lines = try JSON.lines(process.output)
        #expect(lines.map { $0["kind"] } == ["queued", "accepted", "due", "accepted", "plan"])
        #expect(lines.prefix(4).map { $0["id"] } == ["n2", "n1", "n1", "n2"])
        #expect(lines[4]["held"] == [["n2", "1970-01-01T00:00:03.000Z"]])
        let broken = try ration("simulate", "--policy", policy, input: #"{"now":"#)
        #expect(broken.ending == .status(1))
        #expect(broken.errorText.contains("standard input:1"))
    }
}
