import Foundation
import TestProcesses
import Testing

@Suite("deploy/run", .serialized)
struct DeployRunTests {
    private let begin = Monotonic.milliseconds
    /// What SIGKILL leaves of its files goes with this.
    private let folder: TemporaryFolder
    private let run: ChildProcess

    /// Starts it, and waits until it shows events or fails.
    init() throws {
        folder = try TemporaryFolder()
        run = try ChildProcess(
            "\(Executables.root)/deploy/run", ["--for", "5"],
            environment: ["RATION": try Executables.ration(), "TMPDIR": folder.path])
        while let line = try run.nextLine(), !line.contains("  evicted  ") {}
    }

    /// The `ration up` that it runs, and that one's processes by the subcommand that they run.
    private func processes() throws -> (up: RunningProcess, children: [String: RunningProcess]) {
        let up = try #require(try RunningProcess.children(of: run.identifier).first { $0.words.contains("up") })
        let children = try RunningProcess.children(of: up.identifier)
        return (up, Dictionary(children.map { ($0.words.count > 1 ? $0.words[1] : "", $0) }) { $1 })
    }

    /// Fails unless all that it started has ended, and its folder is gone.
    private func expectNothingLeft(
        of children: [String: RunningProcess], _ location: SourceLocation = #_sourceLocation
    ) throws {
        for child in children.values { #expect(!child.isAlive, "\(child.words)", sourceLocation: location) }
        #expect(try RunningProcess.naming(folder.path).isEmpty, sourceLocation: location)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, sourceLocation: location)
    }

    @Test("--for 5 shows events of all processes, and ends after 5 s with what analytics has counted and status 0")
    func endsByItself() throws {
        let children = try processes().children
        #expect(
            Set(children.keys).isSuperset(of: ["broker", "scheduler", "subscriber", "demo", "tail"]), "\(children.keys)"
        )
        #expect(try run.wait() == .status(0), "\(run.errorText)")
        #expect((5_000...20_000).contains(Monotonic.milliseconds - begin))
        let lines = run.outputLines
        let header = try #require(lines.firstIndex { $0.hasPrefix("type ") && $0.contains("accepted") })
        #expect(lines[header].split(separator: " ").prefix(4) == ["type", "accepted", "queued", "evicted"])
        for type in ["depletion", "day1"] {
            let row = try #require(lines[header...].first { $0.hasPrefix("\(type) ") }, "\(type)")
            let count = row.split(separator: " ")[1].filter { $0 != "," }
            #expect(Int(count) ?? 0 > 0, "\(row)")
        }
        try expectNothingLeft(of: children)
    }

    @Test("SIGTERM ends it with what analytics has counted and status 0, and no process is left")
    func terminated() throws {
        let children = try processes().children
        run.send(signal: SIGTERM)
        #expect(try run.wait() == .status(0), "\(run.errorText)")
        #expect(run.outputLines.contains { $0.hasPrefix("log ") })
        try expectNothingLeft(of: children)
    }

    @Test("SIGKILL leaves no process either")
    func killed() throws {
        let (up, children) = try processes()
        run.send(signal: SIGKILL)
        let deadline = Deadline()
        while up.isAlive || children.values.contains(where: \.isAlive) {
            try deadline.require("all have ended", #_sourceLocation)
        }
        #expect(try run.wait() == .signal(SIGKILL))
    }

    @Test("a process that dies is named and started again, and the status is 0", arguments: ["broker", "demo", "tail"])
    func childDies(_ name: String) throws {
        let children = try processes().children
        kill(try #require(children[name]).identifier, SIGKILL)
        #expect(try run.wait() == .status(0), "\(run.errorText)")
        let process = name == "demo" ? "users" : name
        #expect(run.outputText.contains("\(process) was ended by signal 9 (Killed); it is started again in 100 ms"))
        try expectNothingLeft(of: children)
    }
}
