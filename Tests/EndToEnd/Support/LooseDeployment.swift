import Foundation
import RationBus
import TestProcesses
import Testing

/// The sample deployment as processes without a supervisor, so that each can be killed and started by a test.
final class LooseDeployment {
    static let devices = "60"
    static let schedulers = ["habit", "onboarding", "depletion", "inactivity"]

    let folder: TemporaryFolder
    let facts: String
    let config: String
    private(set) var processes: [String: ChildProcess] = [:]
    private let context: Context

    /// - Parameter facts: a file that `ration demo --facts` has made.
    init(facts: String) throws {
        folder = try TemporaryFolder()
        context = try Context()
        self.facts = facts
        let sample = try String(contentsOfFile: "\(Executables.root)/deploy/ration.yaml", encoding: .utf8)
        let start = try #require(sample.range(of: "\nschedulers:"))
        let sections = String(sample[start.lowerBound...])
            .replacing("/var/lib/ration/facts.db", with: facts).replacing("/var/lib/ration", with: folder.path)
            // Within a margin what is pending may stay where it was; a fresh deployment does not know where that is.
            .replacing("retry: 1h ", with: "retry: 100ms ")
            .replacing("\n  depletion:\n", with: "\n  depletion:\n    margin: 0ms\n")
            .replacing("\n  inactivity:\n", with: "\n  inactivity:\n    margin: 0ms\n")
        let broker = """
            broker:
              data: data
              policy: {types: {habit: {keepsTime: true}, entry: {keepsTime: true}}}
              intents: ipc://\(folder.path)/intents
              events: ipc://\(folder.path)/events
              queries: ipc://\(folder.path)/queries
              http: off
              ballastBytes: 0
              watermarkBytes: 0
              watermarkPercent: 0

            """
        config = try folder.write(broker + sections, to: "ration.yaml")
    }

    /// Starts what is not running.
    func start(_ name: String) throws {
        let command =
            switch name {
            case "broker": ["broker"]
            case "analytics": ["subscriber", name]
            case "users": ["demo", "--facts", facts, "--live", "--devices", Self.devices]
            default: ["scheduler", name]
            }
        processes[name] = try ChildProcess(try Executables.ration(), command + ["--config", config], input: nil)
    }

    func startAll() throws {
        try start("broker")
        try run("status", "--wait", "20s")
        for name in ["analytics", "users"] + Self.schedulers { try start(name) }
    }

    /// Ends a process with a signal, and waits for that.
    func end(_ name: String, _ signal: Int32) throws {
        let process = try #require(processes[name], "\(name)")
        processes[name] = nil
        process.send(signal: signal)
        let ending = try process.wait()
        // One that has just been started may not have come to taking the signal.
        #expect(
            ending == .signal(signal) || (signal == SIGTERM && ending == .status(0)), "\(name): \(process.errorText)")
    }

    /// Runs a command to its end.
    @discardableResult
    func run(_ arguments: String...) throws -> ChildProcess {
        let process = try ChildProcess(try Executables.ration(), arguments + ["--config", config])
        #expect(try process.wait(milliseconds: 60_000) == .status(0), "\(arguments): \(process.errorText)")
        return process
    }

    /// Runs every scheduler once, and analytics up to the log's end.
    func settle() throws {
        for name in Self.schedulers { try run("scheduler", name, "--once") }
        try run("subscriber", "analytics", "--once")
    }

    /// The event log's name and end.
    func log() throws -> (log: String, last: Int) {
        let log = try JSON(run("log", "--json").output)
        return (log["log"]?.text ?? "", log["last"]?.integer ?? 0)
    }

    /// All that is pending: `app device id requested date`.
    func pending() throws -> Set<String> {
        let snapshot = try run("snapshot")
        var pending: Set<String> = []
        for plan in try JSON.lines(snapshot.output) {
            let recipient = "\(plan["app"]?.text ?? "") \(plan["device"]?.text ?? "")"
            for list in ["held", "queued"] {
                for entry in plan[list]?.list ?? [] {
                    pending.insert("\(recipient) \(entry["id"]?.text ?? "") \(entry["requestedDate"]?.text ?? "")")
                }
            }
        }
        return pending
    }

    /// Why one is pending or gone, as the broker explains it.
    /// - Parameter entry: as of `pending`.
    func explained(_ entry: String) throws -> String {
        let parts = entry.split(separator: " ").map(String.init)
        return try run("explain", parts[0], parts[1], parts[2]).outputText
    }

    /// How many events of each kind the whole log has.
    func eventsByKind() throws -> [String: Int] {
        let tail = try run("tail", "--json", "--from", "start", "--for", "3s")
        var counts: [String: Int] = [:]
        for event in try JSON.lines(tail.output) { counts[event["data"]?["kind"]?.text ?? "", default: 0] += 1 }
        return counts
    }

    /// How many of each kind analytics has counted.
    func countedByKind() throws -> [String: Int] {
        let report = try JSON(run("analytics", "--json").output)
        var counts: [String: Int] = [:]
        for row in report["reasons"]?.list ?? [] {
            counts[row["kind"]?.text ?? "", default: 0] += row["count"]?.integer ?? 0
        }
        return counts
    }
}
