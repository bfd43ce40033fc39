import Foundation
import TestProcesses
import Testing

@Suite("The example scheduler in Python")
struct PythonSchedulerTests {
    private let folder: TemporaryFolder
    private let broker: BrokerProcess
    private var facts: String { "\(folder.path)/facts.db" }

    init() throws {
        folder = try TemporaryFolder()
        broker = try BrokerProcess(in: folder)
        try change(
            "CREATE TABLE devices (app, device)", "CREATE TABLE appointments (app, device, id, title, at)",
            "INSERT INTO devices VALUES ('\(IntentLine.app)', 'd1'), ('\(IntentLine.app)', 'd2')")
    }

    /// Changes the facts, as the team's own service would.
    private func change(_ statements: String...) throws {
        let script =
            "import sqlite3, sys\nwith sqlite3.connect(sys.argv[1]) as facts:\n"
            + "    for statement in sys.argv[2:]: facts.execute(statement)\n"
        let process = try ChildProcess(Executables.python, ["-c", script, facts] + statements)
        #expect(try process.wait() == .status(0), "\(process.errorText)")
    }

    private func addAppointment(_ key: String, on device: String, inHours hours: Int) throws {
        let date = Date(timeIntervalSince1970: Double(WallClock.milliseconds / 1_000 + hours * 3_600))
        let text = date.formatted(.iso8601).replacing("Z", with: "+00:00")
        try change("INSERT INTO appointments VALUES ('\(IntentLine.app)', '\(device)', '\(key)', 'Dentist', '\(text)')")
    }

    private func start(_ seconds: String = "0.2") throws -> ChildProcess {
        let program = "\(Executables.root)/deploy/clients/python/example_scheduler.py"
        return try ChildProcess(
            Executables.python, ["-B", program, facts, broker.intents, broker.queries, seconds])
    }

    /// Waits for a run with these outcomes.
    private func wait(for outcomes: String, of scheduler: ChildProcess) throws {
        while let line = try scheduler.nextLine() {
            if line == "outcomes: \(outcomes)" { return }
        }
        Issue.record("no run with \(outcomes): \(scheduler.errorText)")
    }

    /// The ids that are pending on a device, without what all begin with.
    private func pending(on device: String, at broker: BrokerProcess) throws -> [String] {
        let plan = try broker.plan(device: device).body
        let entries = ["held", "queued"].flatMap { name -> [JSON] in
            if case .list(let entries) = plan[name] { entries } else { [] }
        }
        return entries.compactMap { $0["id"]?.text?.replacing("com.myapp.appointment.", with: "") }.sorted()
    }

    @Test("what the facts demand is pending, also after they change, and what is the same is unchanged")
    func follows() throws {
        try addAppointment("a", on: "d1", inHours: 3)
        try addAppointment("b", on: "d2", inHours: 4)
        try addAppointment("past", on: "d2", inHours: -1)
        let scheduler = try start()
        try wait(for: "hh", of: scheduler)
        try wait(for: "uu", of: scheduler)
        try change("DELETE FROM appointments WHERE id = 'a'")
        try wait(for: "cu", of: scheduler)
        try wait(for: "u", of: scheduler)
        #expect(try pending(on: "d1", at: broker) == [])
        #expect(try pending(on: "d2", at: broker) == ["b"])
    }

    @Test("it goes on with a broker that was killed, and one of its own that was")
    func survives() throws {
        try addAppointment("a", on: "d1", inHours: 3)
        let scheduler = try start()
        try wait(for: "h", of: scheduler)
        try broker.stop(SIGKILL)
        let second = try broker.again()
        try addAppointment("b", on: "d2", inHours: 3)
        while try pending(on: "d2", at: second) != ["b"] { _ = try scheduler.nextLine() }
        scheduler.send(signal: SIGKILL)
        try scheduler.wait()
        try change("DELETE FROM appointments WHERE id = 'a'")
        let another = try start()
        try wait(for: "cu", of: another)
        #expect(try pending(on: "d1", at: second) == [])
        #expect(try pending(on: "d2", at: second) == ["b"])
    }
}
