import Glibc
import TestProcesses
import Testing

@Suite("ration publish, its outbox and broken connections", .serialized)
struct PublishOutboxTests {
    private let folder: TemporaryFolder
    private let outbox: String

    init() throws {
        folder = try TemporaryFolder()
        outbox = "\(folder.path)/outbox"
    }

    /// Decided twice, each of them would make a second event.
    private static func lines(_ numbers: Range<Int>) -> [String] {
        numbers.map { IntentLine.schedule("n", on: "d\($0)", trigger: #"{"after":3600}"#) }
    }

    private static func expectOnce(
        _ count: Int, at broker: BrokerProcess, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let subjects = try broker.events().compactMap { $0["subject"]?.text }
        let wanted = (0..<count).map { "\(IntentLine.app)/d\($0)/n" }
        #expect(subjects.sorted() == wanted.sorted(), sourceLocation: location)
        #expect(try broker.status()["intents"]?.integer == count, sourceLocation: location)
    }

    @Test("killed between store and acknowledgement, the next run sends what was stored, once and first")
    func killedBeforeAnswer() throws {
        let endpoint = "ipc://\(folder.path)/intents"
        let nobody = try FakeBroker(at: endpoint)
        let killed = try ChildProcess(
            try Executables.ration(),
            ["publish", "--intents", endpoint, "--outbox", outbox, "--batch", "10"], input: ndjson(Self.lines(0..<30)))
        let sent = try nobody.receive(3)
        #expect(sent.joined() == ndjson(Self.lines(0..<30)))
        killed.send(signal: SIGKILL)
        #expect(try killed.wait() == .signal(SIGKILL))
        let broker = try BrokerProcess()
        let again = try broker.run("publish", "--outbox", outbox, "--json", input: ndjson(Self.lines(30..<35)))
        #expect(again.ending == .status(0), "\(again.errorText)")
        #expect(try JSON.lines(again.output).map { $0["held"] } == [10, 10, 10, 5])
        try Self.expectOnce(35, at: broker)
    }

    @Test("killed between decision and acknowledgement, the next run has nothing decided twice")
    func killedBeforeItHeard() throws {
        let broker = try BrokerProcess()
        let killed = try broker.start("publish", "--outbox", outbox, "--batch", "1", input: nil)
        killed.write(ndjson(Self.lines(0..<1)))
        _ = try killed.nextLine()
        broker.process.send(signal: SIGSTOP)
        // Told when those before it are on their way.
        let tooLong = String(repeating: "x", count: 2 << 20)
        killed.write(ndjson(Self.lines(1..<50) + [tooLong]))
        try killed.waitForErrors(containing: "tooLarge")
        killed.send(signal: SIGKILL)
        #expect(try killed.wait() == .signal(SIGKILL))
        broker.process.send(signal: SIGCONT)
        let again = try broker.run("publish", "--outbox", outbox)
        #expect(again.ending == .status(0), "\(again.errorText)")
        #expect(again.outputLines.last == "49 requests: 49 held")
        try Self.expectOnce(50, at: broker)
        #expect(try #require(broker.status()["repetitions"]?.integer) > 0)
        let empty = try broker.run("publish", "--outbox", outbox)
        #expect(empty.ending == .status(0))
        #expect(empty.output.isEmpty, "nothing is left: \(empty.outputText)")
    }

    @Test("no broker within --timeout: status 1, and the outbox keeps the requests for the next run")
    func timeout() throws {
        let endpoint = "ipc://\(folder.path)/nobody"
        let input = ndjson(Self.lines(0..<5))
        let arguments = ["publish", "--intents", endpoint, "--timeout", "300ms"]
        let forgetful = try ChildProcess(try Executables.ration(), arguments, input: input)
        let begin = Monotonic.milliseconds
        #expect(try forgetful.wait() == .status(1))
        #expect(Monotonic.milliseconds - begin < 5_000)
        #expect(forgetful.errorText.contains("no answer from \(endpoint) for 300 ms"), "\(forgetful.errorText)")
        let keeping = try ChildProcess(try Executables.ration(), arguments + ["--outbox", outbox], input: input)
        #expect(try keeping.wait() == .status(1))
        #expect(keeping.errorText.contains("they stay in \(outbox)"), "\(keeping.errorText)")
        let broker = try BrokerProcess()
        let again = try broker.run("publish", "--outbox", outbox)
        #expect(again.ending == .status(0), "\(again.errorText)")
        #expect(again.outputText.contains("5 held"), "\(again.outputText)")
        try Self.expectOnce(5, at: broker)
    }

    @Test("a broker that is away longer than --timeout ends a live pipe too")
    func timeoutOfPipe() throws {
        let process = try ChildProcess(
            try Executables.ration(),
            ["publish", "--intents", "ipc://\(folder.path)/nobody", "--timeout", "300ms"], input: nil)
        process.write(ndjson(Self.lines(0..<1)))
        #expect(try process.wait() == .status(1))
        #expect(process.errorText.contains("no answer from"), "\(process.errorText)")
    }

    @Test("a broker that is restarted in the middle: each request is acknowledged once, and decided once")
    func brokerRestart() throws {
        let count = 400
        let broker = try BrokerProcess()
        let process = try broker.start("publish", "--json", "--batch", "1", input: nil)
        process.write(ndjson(Self.lines(0..<count / 2)))
        _ = try process.nextLine()
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        let again = try broker.again()
        process.write(ndjson(Self.lines(count / 2..<count)))
        process.closeInput()
        #expect(try process.wait() == .status(0), "\(process.errorText)")
        let acknowledgements = try JSON.lines(process.output)
        #expect(acknowledgements.count == count)
        #expect(acknowledgements.allSatisfy { $0["outcomes"] == "h" })
        #expect(acknowledgements.allSatisfy { $0["log"]?.text == broker.log })
        let devices = try again.events().compactMap { $0["data"]?["device"]?.text }
        #expect(devices.sorted() == (0..<count).map { "d\($0)" }.sorted())
    }
}
