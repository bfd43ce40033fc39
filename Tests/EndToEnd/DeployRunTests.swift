import Glibc
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
        while let line = try run.nextLine(), !line.contains("  accepted  ") {}
    }

    /// Its processes by the subcommand that they run.
    private func children() throws -> [String: RunningProcess] {
        let children = try RunningProcess.children(of: run.identifier)
        return Dictionary(children.map { ($0.words.count > 1 ? $0.words[1] : "", $0) }) { $1 }
    }

    /// Fails unless all that it started has ended, and its folder is gone.
    private func expectNothingLeft(
        of children: [String: RunningProcess], _ location: SourceLocation = #_sourceLocation
    ) throws {
        for child in children.values { #expect(!child.isAlive, "\(child.words)", sourceLocation: location) }
        let broker = try #require(children["broker"], sourceLocation: location)
        let data = try #require(broker.words.firstIndex(of: "--data").map { broker.words[$0 + 1] })
        #expect(try RunningProcess.naming(data).isEmpty, sourceLocation: location)
        #expect(access(data, F_OK) != 0, "\(data) is gone", sourceLocation: location)
    }

    @Test("--for 5 shows events and tables that move, and ends after 5 s with the last table and status 0")
    func endsByItself() throws {
        let children = try children()
        #expect(Set(children.keys).isSuperset(of: ["broker", "demo", "tail"]), "\(children.keys)")
        #expect(try run.wait() == .status(0), "\(run.errorText)")
        #expect((5_000...20_000).contains(Monotonic.milliseconds - begin))
        let table = try SummaryTable(run)
        for kind in ["accepted", "queued", "evicted"] {
            #expect(try #require(table["all", kind]) > 0, "\(kind) in \(run.outputText.suffix(2_000))")
        }
        for type in ["habit", "entry"] { #expect(try #require(table[type, "accepted"]) > 0) }
        try expectNothingLeft(of: children)
    }

    @Test("SIGTERM ends it with a table and status 0, and no process is left")
    func terminated() throws {
        let children = try children()
        run.send(signal: SIGTERM)
        #expect(try run.wait() == .status(0), "\(run.errorText)")
        _ = try SummaryTable(run)
        try expectNothingLeft(of: children)
    }

    @Test("SIGKILL leaves no process either")
    func killed() throws {
        let children = try children()
        run.send(signal: SIGKILL)
        #expect(try run.wait() == .signal(SIGKILL))
        let deadline = Deadline()
        while children.values.contains(where: \.isAlive) { try deadline.require("all have ended", #_sourceLocation) }
    }

    @Test("a process that dies makes the status 1, and is named", arguments: ["broker", "demo", "tail"])
    func childDies(_ name: String) throws {
        let children = try children()
        let victim = try #require(children[name])
        kill(victim.identifier, SIGKILL)
        #expect(try run.wait() == .status(1), "\(run.errorText)")
        #expect(run.errorText.contains("ration \(name) ended with status 137"), "\(run.errorText)")
        try expectNothingLeft(of: children)
    }
}
