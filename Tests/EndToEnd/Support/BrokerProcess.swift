import Glibc
import RationBus
import TestProcesses
import Testing

/// A `ration broker` with a data folder and endpoints of its own.
final class BrokerProcess {
    enum Transport {
        /// Unix sockets in its folder.
        case ipc
        /// Loopback, on ports that the system chooses.
        case tcp
    }

    let process: ChildProcess
    let folder: TemporaryFolder
    /// What the sockets of the test's clients live in.
    let context: Context
    let log: String
    let intents: String
    let events: String
    let queries: String
    let admin: String
    /// `address:port`, or `off`.
    let http: String

    /// Starts a broker and waits until it is ready.
    /// - Parameters:
    ///   - policy: YAML or JSON.
    ///   - options: further ones for the command line.
    ///   - folder: of an earlier broker, for one that is started again.
    ///   - store: how it keeps its data.
    ///   - environment: variables that the broker gets beside the test's own.
    init(
        policy: String? = nil, _ options: [String] = [], over transport: Transport = .ipc, http: Bool = false,
        in folder: TemporaryFolder? = nil, store: [String] = storeOptions, environment: [String: String] = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        var arguments = Self.arguments(folder: folder, transport, http: http, store: store)
        if let policy { arguments += ["--policy", try folder.write(policy, to: "policy.yaml")] }
        process = try ChildProcess(try Executables.ration(), arguments + options, environment: environment)
        self.folder = folder
        context = try Context()
        let told = try Self.untilReady(process, location)
        log = try #require(told["log"], sourceLocation: location)
        intents = try #require(told["intents"], sourceLocation: location)
        events = try #require(told["events"], sourceLocation: location)
        queries = try #require(told["queries"], sourceLocation: location)
        admin = try #require(told["admin"], sourceLocation: location)
        self.http = told["http"] ?? "off"
    }

    /// Many of them share the disk of a test run.
    static let storeOptions = ["--ballastBytes", "0", "--watermarkBytes", "0", "--watermarkPercent", "0"]

    /// The command line of a broker on a folder.
    static func arguments(
        folder: TemporaryFolder, _ transport: Transport, http: Bool, store: [String] = storeOptions
    ) -> [String] {
        let endpoints = ["intents", "events", "queries"].flatMap { name in
            ["--\(name)", transport == .ipc ? "ipc://\(folder.path)/\(name)" : "tcp://127.0.0.1:0"]
        }
        return ["broker", "--data", "\(folder.path)/data", "--http", http ? "127.0.0.1:0" : "off"] + endpoints + store
    }

    /// Reads its first lines: a word and what it names.
    private static func untilReady(
        _ process: ChildProcess, _ location: SourceLocation
    ) throws -> [String: String] {
        var told: [String: String] = [:]
        while let line = try process.nextLine(location), line != "ready" {
            let words = line.split(separator: " ").map { $0.filter { $0 != "," } }
            if words.count > 1 { told[words[0]] = words[1] }
        }
        try #require(
            process.outputText.contains("ready\n"), "the broker is ready: \(process.errorText)",
            sourceLocation: location)
        return told
    }

    /// Starts another on the same folder.
    func again(_ location: SourceLocation = #_sourceLocation) throws -> BrokerProcess {
        try BrokerProcess(in: folder, location)
    }

    /// Removes what an ended broker has kept, so that the next one on the folder begins a new log.
    func removeStore() throws {
        try folder.remove("data/store")
    }

    /// Ends it with a signal and waits for that.
    @discardableResult
    func stop(_ signal: Int32 = SIGTERM, _ location: SourceLocation = #_sourceLocation) throws -> Ending {
        process.send(signal: signal)
        return try process.wait(location)
    }

    /// The answer to `status`.
    func status(_ location: SourceLocation = #_sourceLocation) throws -> JSON {
        try Client(self, to: queries).ask("status", "{}", location).body
    }

    /// The answer to `plan`.
    func plan(
        app: String = IntentLine.app, device: String = "d1", _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try Client(self, to: queries).ask("plan", #"{"app":"\#(app)","device":"\#(device)"}"#, location)
    }

    /// All events that are kept after a position, read page by page.
    func events(after: Int = 0, _ location: SourceLocation = #_sourceLocation) throws -> [JSON] {
        let reader = try Client(self, to: queries)
        var events: [JSON] = []
        var next = after
        while true {
            let page = try reader.read(#"{"after":\#(next),"most":10000,"mostBytes":4194304}"#, location)
            events += page.events
            next = page.next
            if next >= page.last { return events }
        }
    }

    /// Shows that another client still gets acknowledgements.
    func proveThatItServes(_ location: SourceLocation = #_sourceLocation) throws {
        let client = try Client(self, to: intents)
        let line = IntentLine.schedule("proof", on: "witness", at: WallClock.milliseconds + 3_600_000)
        let answer = try client.publish([line], location)
        #expect(answer.name == "ration/1 ack", "\(answer.text)", sourceLocation: location)
        #expect(answer.outcomes == "h" || answer.outcomes == "u", sourceLocation: location)
        let status = try Client(self, to: queries).ask("status", "{}", location)
        #expect(status.name == "ration/1 status", sourceLocation: location)
    }
}
