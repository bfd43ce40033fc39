import Glibc
import TestProcesses
import Testing

@Suite("The Python client")
struct PythonClientTests {
    private let broker: BrokerProcess
    private let hour = WallClock.milliseconds + 3_600_000

    init() throws {
        broker = try BrokerProcess()
    }

    private func python(_ arguments: [String], input: String? = "") throws -> ChildProcess {
        try ChildProcess(Executables.python, ["-B", Executables.pythonClient] + arguments, input: input)
    }

    private func publish(_ lines: [String], _ more: [String]) throws -> ChildProcess {
        let file = try broker.folder.write(lines.joined(separator: "\n") + "\n", to: "intents.ndjson")
        return try python(["publish", file, "--intents", broker.intents] + more)
    }

    @Test("publish prints an acknowledgement a request, and fails when a line is rejected")
    func publish() throws {
        let lines = (0..<10).map { IntentLine.schedule("n\($0)", at: hour) }
        let good = try publish(lines, ["--publisher", "py", "--lines", "4"])
        #expect(try good.wait() == .status(0), "\(good.errorText)")
        let acknowledgements = try JSON.lines(good.output)
        #expect(acknowledgements.map { $0["number"] } == [1, 2, 3])
        #expect(acknowledgements.map { $0["outcomes"] } == ["hhhh", "hhhh", "hh"])
        let bad = try publish(["{", IntentLine.cancel("n0")], ["--publisher", "py"])
        #expect(try bad.wait() == .status(1))
        #expect(try JSON.lines(bad.output).map { $0["outcomes"] } == ["rc"])
        #expect(try JSON.lines(bad.output).map { $0["number"] } == [4])
    }

    @Test("read prints the log to its end, plan and status what the broker says")
    func queries() throws {
        try Client(broker, to: broker.intents).publish(IntentLine.wave(devices: 30, ids: 40, at: hour), expecting: "h")
        let read = try python(["read", "--queries", broker.queries])
        #expect(try read.wait() == .status(0), "\(read.errorText)")
        #expect(try JSON.lines(read.output) == (try broker.events()))
        let plan = try python(["plan", "--queries", broker.queries, IntentLine.app, "device-3"])
        #expect(try plan.wait() == .status(0), "\(plan.errorText)")
        #expect(try JSON.lines(plan.output).first == (try broker.plan(device: "device-3").body))
        let status = try python(["status", "--queries", broker.queries])
        #expect(try status.wait() == .status(0), "\(status.errorText)")
        #expect(try JSON.lines(status.output).first?["last"] == 1_200)
    }

    @Test("tail begins with what is in the log and goes on live, each event once, with its filter")
    func tail() throws {
        let client = try Client(broker, to: broker.intents)
        try client.publish(IntentLine.wave(devices: 10, ids: 5, at: hour), expecting: "h")
        let tail = try python(
            ["tail", "--events", broker.events, "--queries", broker.queries, "--after", "0", "--device", "device-3"])
        for sequence in 16...20 { #expect(try tail.nextLine().map { try JSON($0).sequence } == sequence) }
        try client.publish(IntentLine.wave(devices: 10, ids: 5, at: hour + 1), expecting: "h")
        for sequence in 66...70 { #expect(try tail.nextLine().map { try JSON($0).sequence } == sequence) }
        tail.send(signal: SIGINT)
        #expect(try tail.wait() == .status(130), "\(tail.errorText)")
    }

    @Test("publish with an outbox outlives the broker: every request is acknowledged once")
    func brokerRestart() throws {
        let count = 150
        let lines = (0..<count).map { IntentLine.schedule("n", on: "d\($0)", at: hour) }
        let outbox = "\(broker.folder.path)/outbox"
        let publisher = try publish(
            lines, ["--publisher", "py", "--outbox", outbox, "--lines", "1", "--give-up", "20"])
        _ = try publisher.nextLine()
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        let again = try broker.again()
        #expect(try publisher.wait() == .status(0), "\(publisher.errorText)")
        let logs = try JSON.lines(publisher.output).map { $0["log"]?.text ?? "" }
        #expect(logs == Array(repeating: broker.log, count: count))
        let events = try again.events()
        #expect(events.count == count)
        #expect(Set(events.compactMap { $0["subject"]?.text }).count == events.count)
    }

    @Test("publish killed with requests in its outbox sends them again when it starts anew, with no effect twice")
    func clientRestart() throws {
        let count = 1_000
        let lines = (0..<count).map { IntentLine.schedule("n", on: "d\($0)", trigger: #"{"after":3600}"#) }
        let options = ["--publisher", "py", "--outbox", "\(broker.folder.path)/outbox", "--lines", "1"]
        let killed = try publish(lines, options)
        _ = try killed.nextLine()
        killed.send(signal: SIGKILL)
        #expect(try killed.wait() == .signal(SIGKILL))
        let again = try publish([IntentLine.schedule("n", on: "last", trigger: #"{"after":3600}"#)], options)
        #expect(try again.wait() == .status(0), "\(again.errorText)")
        let events = try broker.events().compactMap { $0["subject"]?.text }
        #expect(Set(events).count == events.count, "an after that is decided twice makes a second event")
        #expect(events.last == "\(IntentLine.app)/last/n")
        #expect(try broker.status()["intents"]?.integer == events.count)
    }
}
