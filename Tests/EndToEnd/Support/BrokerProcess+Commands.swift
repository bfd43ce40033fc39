import TestProcesses
import Testing

/// The commands of a broker's users, pointed at its endpoints.
extension BrokerProcess {
    /// Starts a command.
    /// - Parameter input: what it reads from its standard input; nil keeps that open.
    func start(_ command: String, _ arguments: String..., input: String? = "") throws -> ChildProcess {
        try start(command, arguments, input: input)
    }

    func start(_ command: String, _ arguments: [String], input: String? = "") throws -> ChildProcess {
        try ChildProcess(try Executables.ration(), [command] + endpoints(of: command) + arguments, input: input)
    }

    /// Runs a command to its end.
    func run(
        _ command: String, _ arguments: String..., input: String = "", _ location: SourceLocation = #_sourceLocation
    ) throws -> ChildProcess {
        let process = try start(command, arguments, input: input)
        try process.wait(location)
        return process
    }

    private func endpoints(of command: String) -> [String] {
        switch command {
        case "publish", "demo": ["--intents", intents]
        case "policy", "backup", "stop", "clock", "forget": ["--admin", admin]
        case "check-data": []
        case "tail": ["--events", events, "--queries", queries]
        default: ["--queries", queries]
        }
    }
}

/// The lines of NDJSON that a process reads.
func ndjson(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }
