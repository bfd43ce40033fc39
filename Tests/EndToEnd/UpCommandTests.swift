import Glibc
import TestProcesses
import Testing

@Suite("ration up")
struct UpCommandTests {
    private static let sleeper = "processes: {sleeper: {command: [sh, -c, 'echo up; exec sleep 1000']}}"

    @Test("the broker comes first, and the others once it answers; each line stands behind its process's padded name")
    func starts() throws {
        let deployment = try DeploymentProcess(Self.sleeper)
        try deployment.wait(for: "up", from: "sleeper")
        #expect(
            deployment.lines(of: "up").map { $0.prefix { $0 != "," } } == [
                "broker started", "broker ready", "sleeper started",
            ])
        #expect(deployment.lines.allSatisfy { $0.dropFirst(7).hasPrefix(" | ") }, "\(deployment.lines)")
        #expect(deployment.lines(of: "broker").contains("ready"))
        #expect(try deployment.stop() == .status(0))
        #expect(deployment.lines(of: "broker").last == "stopped at sequence 0, batch 0")
        #expect(
            deployment.lines(of: "up").suffix(3) == [
                "signal 15: stopping", "sleeper was ended by signal 15 (Terminated)", "broker ended",
            ])
    }

    @Test("a broker that cannot start is not ready because another one answers in its place")
    func anotherBroker() throws {
        let other = try BrokerProcess()
        let folder = try TemporaryFolder()
        let names = ["intents", "events", "queries"].map { "  \($0): ipc://\(other.folder.path)/\($0)\n" }.joined()
        let config = try folder.write(
            "broker:\n  data: data\n  http: off\n  ballastBytes: 0\n  watermarkBytes: 0\n  watermarkPercent: 0\n"
                + names
                + Self.sleeper + "\n", to: "ration.yaml")
        let up = try ChildProcess(try Executables.ration(), ["up", "--config", config])
        // Its endpoints are taken; it is started again and again.
        while let line = try up.nextLine(), !line.contains("it is started again in 400 ms") {}
        #expect(
            !up.outputText.contains("broker ready") && !up.outputText.contains("sleeper started"), "\(up.outputText)")
        up.send(signal: SIGTERM)
        #expect(try up.wait() == .status(0), "\(up.outputText)")
        try other.proveThatItServes()
        let status = try other.run("status", "--process", "1")
        #expect(status.ending == .status(1))
        #expect(status.errorText.contains("process \(other.process.identifier), not process 1"), "\(status.errorText)")
    }

    @Test("a job that has done its work is left alone, one that fails is tried again")
    func jobs() throws {
        let script = "test -e FOLDER/mark && exit 0; touch FOLDER/mark; exit 7"
        let deployment = try DeploymentProcess("processes: {job: {command: [sh, -c, '\(script)']}}")
        try deployment.wait(for: "job ended with status 7; it is started again in 100 ms")
        try deployment.wait(for: "job ended with status 0: its work is done")
        #expect(try deployment.stop(SIGINT) == .status(0))
    }

    @Test("SIGKILL leaves no process, nor what those have started")
    func killed() throws {
        let deployment = try DeploymentProcess(
            "processes: {parent: {command: [sh, -c, 'sleep 1000 & echo child $!; wait']}}")
        let child = try deployment.wait(for: "child", from: "parent").dropFirst(6)
        let path = deployment.folder.path
        let processes = try RunningProcess.children(of: deployment.process.identifier)
        #expect(processes.contains { $0.words.contains("broker") } && processes.contains { $0.words.first == "sh" })
        deployment.process.send(signal: SIGKILL)
        let deadline = Deadline()
        while try processes.contains(where: \.isAlive) || !RunningProcess.naming(path).isEmpty {
            try deadline.require("all have ended", #_sourceLocation)
        }
        let identifier = try #require(pid_t(child))
        while RunningProcess(identifier: identifier, words: ["sleep", "1000"]).isAlive {
            try deadline.require("the child's child has ended", #_sourceLocation)
        }
    }

    @Test("the broker that is killed is started again, and the others go on")
    func brokerDies() throws {
        let deployment = try DeploymentProcess(Self.sleeper)
        try deployment.wait(for: "up", from: "sleeper")
        let before = try deployment.children()
        kill(try #require(before["broker"]).identifier, SIGKILL)
        try deployment.wait(for: "broker was ended by signal 9 (Killed); it is started again in 100 ms")
        try deployment.wait(for: "ready", from: "broker")
        let after = try deployment.children()
        #expect(after["broker"]?.identifier != before["broker"]?.identifier)
        #expect(deployment.lines(of: "up").count { $0.hasPrefix("sleeper started") } == 1)
        let status = try ration("status", "--config", deployment.config)
        #expect(try status.wait() == .status(0))
        #expect(try deployment.stop() == .status(0))
    }

    @Test("--for ends it")
    func endsByItself() throws {
        let deployment = try DeploymentProcess(Self.sleeper, ["--for", "1s"])
        #expect(try deployment.finish() == .status(0))
        #expect(deployment.lines(of: "up").contains("the time is over: stopping"))
    }

    @Test("a second signal kills what does not end, and the status says so")
    func secondSignal() throws {
        let deployment = try DeploymentProcess(
            "processes: {deaf: {command: [sh, -c, 'trap \"\" TERM; echo up; while :; do sleep 1; done']}}")
        try deployment.wait(for: "up", from: "deaf")
        deployment.process.send(signal: SIGTERM)
        try deployment.wait(for: "signal 15: stopping")
        #expect(try deployment.stop(SIGINT) == .status(1))
        #expect(deployment.lines(of: "up").contains("signal 2 again: killing what is left"))
    }

    @Test("SIGHUP reaches the broker, which takes the new policy up")
    func hangUp() throws {
        let deployment = try DeploymentProcess(Self.sleeper, policy: "slots: 5")
        try deployment.wait(for: "up", from: "sleeper")
        _ = try deployment.folder.write("slots: 6", to: "policy.yaml")
        deployment.process.send(signal: SIGHUP)
        try deployment.wait(for: "policy revision 2", from: "broker")
        #expect(try deployment.stop() == .status(0))
    }

    @Test("all faults of the configuration are told, and nothing is started")
    func faults() throws {
        let deployment = try DeploymentProcess(
            """
            schedulers:
              habit: {fcts: x}
            subscribers:
              analytcs:
            processes:
              tail: {command: []}
            """)
        #expect(try deployment.finish() == .status(1))
        #expect(deployment.process.outputText == "")
        let errors = deployment.process.errorText.split(separator: "\n").map {
            $0.replacing(deployment.config, with: "c")
        }
        #expect(
            errors == [
                "ration: c:12:3: schedulers.habit: expected the key 'facts', the SQLite file that the facts are read from, found none",
                "ration: c:12:3: schedulers.habit.queries.habits: expected a query, found none",
                "ration: c:12:11: schedulers.habit.fcts: unknown key 'fcts', did you mean 'facts'?",
                "ration: c:14:3: subscribers.analytcs: unknown subscriber 'analytcs', did you mean 'analytics'?",
                "ration: c:16:19: processes.tail.command: expected a list of the program and its arguments, found an empty list",
            ])
    }

    @Test("an endpoint whose port the system chooses is refused, since nobody could find it")
    func freePort() throws {
        let folder = try TemporaryFolder()
        let config = try folder.write("broker: {data: d, events: 'tcp://127.0.0.1:0'}", to: "c.yaml")
        let up = try ration("up", "--config", config)
        #expect(try up.wait() == .status(1))
        #expect(
            up.errorText
                == "ration: \(config): broker.events: expected a port that the other processes can find, found "
                + "'tcp://127.0.0.1:0'\n")
    }
}
