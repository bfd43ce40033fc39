import Glibc
import RationConfiguration

/// A command with subcommands.
public struct Program: Sendable {
    public let name: String
    /// What it is for, one sentence.
    public let summary: String
    public let version: String
    public let commands: [any Command.Type]

    public init(name: String, summary: String, version: String, commands: [any Command.Type]) {
        self.name = name
        self.summary = summary
        self.version = version
        self.commands = commands
    }

    /// What a command line asks for.
    public enum Action: Sendable {
        /// Print this and end well.
        case show(String)
        case run(any Command)
    }

    /// Understands a command line, without doing anything.
    /// - Parameter words: what stands behind the program's name.
    /// - Throws: `UsageError`.
    public func action(for words: [String]) throws -> Action {
        guard let first = words.first else {
            throw UsageError("expected a command: \(commands.map { $0.name }.joined(separator: ", "))")
        }
        switch first {
        case "--version": return .show("\(name) \(version)")
        case "-h", "--help": return .show(help)
        case "help": return .show(try words.dropFirst().first.map { help(for: try command($0)) } ?? help)
        case _ where first.hasPrefix("-"):
            throw UsageError(
                Spelling.unknown("option", String(first.drop { $0 == "-" }), among: Self.ownOptions, mark: "--"))
        default:
            let command = try command(first)
            guard let arguments = try ArgumentParser.parse(Array(words.dropFirst()), for: command) else {
                return .show(help(for: command))
            }
            return .run(try command.init(arguments))
        }
    }

    /// Does what a command line asks for, tells errors on standard error, and flushes the output.
    /// - Returns: the process's status.
    public func run(_ words: [String], _ console: Console) -> ExitStatus {
        do {
            let status = try perform(action(for: words), console)
            try console.output.flush()
            return status
        } catch is OutputClosed {
            return .success
        } catch {
            return tell(error, console)
        }
    }

    /// Runs the program of this process: ignores SIGPIPE, takes the process's arguments, and ends it.
    public func main() -> Never {
        signal(SIGPIPE, SIG_IGN)
        let console = Console.standard(program: name)
        exit(run(Array(CommandLine.arguments.dropFirst()), console).rawValue)
    }

    private static let ownOptions = ["help", "version"]

    private func command(_ name: String) throws -> any Command.Type {
        if let command = commands.first(where: { $0.name == name }) { return command }
        throw UsageError(Spelling.unknown("command", name, among: commands.map { $0.name } + ["help"]))
    }

    private func perform(_ action: Action, _ console: Console) throws -> ExitStatus {
        switch action {
        case .show(let text):
            try console.output.line(text)
            return .success
        case .run(let command):
            return try command.run(console)
        }
    }

    /// What was printed before the error goes out first.
    private func tell(_ error: any Error, _ console: Console) -> ExitStatus {
        do {
            try console.output.flush()
            switch error {
            case let error as UsageError:
                console.complain(error.message)
                return .usage
            case let error as CommandFailure:
                for message in error.messages { console.complain(message) }
            default:
                console.complain("\(error)")
            }
            return .failure
        } catch is OutputClosed {
            return .success
        } catch {
            console.complain("\(error)")
            return .failure
        }
    }
}
