import TestProcesses
import Testing

@Suite("ration plan and ration status")
struct QueryCommandTests {
    private let broker: BrokerProcess
    private let hour = WallClock.milliseconds + 3_600_000

    init() throws {
        broker = try BrokerProcess(policy: #"{"slots":2,"types":{"entry":{"priority":3}}}"#)
        let lines = [
            IntentLine.schedule("soon", at: hour), IntentLine.schedule("again", trigger: #"{"every":120}"#),
            IntentLine.schedule("late", at: hour + 1, type: "entry"),
        ]
        try Client(broker, to: broker.intents).publish(lines, expecting: "hq")
    }

    /// The words of each line.
    private static func words(_ process: ChildProcess) -> [[String]] {
        process.outputLines.map { $0.split(separator: " ").map(String.init) }
    }

    @Test("plan shows what a device holds, in the order of firing, and what waits")
    func plan() throws {
        let process = try broker.run("plan", IntentLine.app, "d1")
        #expect(process.ending == .status(0), "\(process.errorText)")
        let lines = Self.words(process)
        #expect(process.outputLines.first == "\(IntentLine.app)/d1: 2 held, 1 queued, as of event 3")
        let plan = try broker.plan().body
        let dates = ["held", "queued"].map { name in plan[name]?.list?.compactMap { $0["fireDate"]?.text } ?? [] }
        let header = try #require(lines.first { $0.first == "held" })
        #expect(header == ["held", "id", "type", "p", "fire", "date", "in", "requested", "date"])
        let again = try #require(lines.first { $0.contains("again") })
        #expect(again.prefix(5) == ["1", "again", "unknown", "99", dates[0][0]])
        #expect(again.last == "repeats")
        #expect(lines.first { $0.contains("soon") }?.prefix(5) == ["2", "soon", "unknown", "99", dates[0][1]])
        #expect(lines.first { $0.contains("late") }?.prefix(4) == ["late", "entry", "3", dates[1][0]])
        let titles = lines.compactMap(\.first).filter { ["held", "queued", "1", "2", "late"].contains($0) }
        #expect(titles == ["held", "1", "2", "queued", "late"], "\(process.outputText)")
    }

    @Test("plan and status --json print the broker's answer as it is")
    func json() throws {
        let plan = try broker.run("plan", "--json", IntentLine.app, "d1")
        #expect(plan.ending == .status(0))
        #expect(plan.output == (try broker.plan().bytes) + [0x0A])
        let status = try broker.run("status", "--json")
        #expect(status.ending == .status(0))
        #expect(status.output.last == 0x0A)
        let answer = try Client(broker, to: broker.queries).ask("status", "{}").bytes
        #expect(try lasting(status.output.dropLast()) == lasting(answer))
    }

    /// What two answers have in common while nothing is published: whoever asks is a connection itself, records are written when
    /// it is quiet, and the disk has other users.
    private func lasting(_ bytes: some Sequence<UInt8>) throws -> JSON? {
        guard case .object(let members) = try JSON(Array(bytes)) else { return nil }
        return .object(
            members.filter { !["connections", "batch"].contains($0.key) && !$0.key.hasPrefix("store") })
    }

    @Test("plan of a device that the broker has never met is told by its name, status 1")
    func unknownDevice() throws {
        let process = try broker.run("plan", IntentLine.app, "d9")
        #expect(process.ending == .status(1))
        #expect(process.output.isEmpty)
        #expect(process.errorText == "ration: the broker knows no device 'd9' of app '\(IntentLine.app)'\n")
    }

    @Test("status shows each counter by its name")
    func status() throws {
        let process = try broker.run("status")
        #expect(process.ending == .status(0), "\(process.errorText)")
        let lines = Self.words(process)
        for row in [
            ["log", broker.log], ["last", "3"], ["intents", "3"], ["outcomes.held", "2"], ["events.accepted", "2"],
            ["stopping", "false"],
        ] { #expect(lines.contains(row), "\(row) in \(process.outputText)") }
    }

    @Test("status --wait is answered by a broker that comes later")
    func waits() throws {
        let folder = try TemporaryFolder()
        let arguments = ["status", "--wait", "20s", "--json", "--queries", "ipc://\(folder.path)/queries"]
        let process = try ChildProcess(try Executables.ration(), arguments)
        let later = try BrokerProcess(in: folder)
        #expect(try process.wait() == .status(0), "\(process.errorText)")
        #expect(try JSON(process.output)["log"]?.text == later.log)
    }

    @Test("status --wait in vain ends when its time is over, status 1")
    func waitsInVain() throws {
        let endpoint = "ipc://\(broker.folder.path)/nobody"
        let begin = Monotonic.milliseconds
        let process = try ration("status", "--wait", "300ms", "--queries", endpoint)
        #expect(process.ending == .status(1))
        #expect((300...5_000).contains(Monotonic.milliseconds - begin))
        #expect(process.errorText == "ration: \(endpoint): no broker answers after 300 ms\n")
    }
}
