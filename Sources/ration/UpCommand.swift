import Glibc
import RationCommandLine
import RationConfiguration
import RationPluginKit
import RationSupervision

/// `ration up`: all processes of a deployment.
struct UpCommand: Command {
    static let name = "up"
    static let summary = "Run a deployment: the broker, its subscribers, schedulers and other processes"
    static let details = [
        "Starts the broker, and once it answers the subscribers, the schedulers, and what the section 'processes' lists. "
            + "What ends is started again, after a delay that doubles from 100 ms to 10 s as long as it ends within 10 s; "
            + "of 'processes' what ends with status 0 has done its work.",
        "Each line of output stands behind the name of its process. When the output takes nothing for a second, lines are "
            + "left out and counted: processes do not wait for it.",
        "Ctrl-C, SIGTERM and the end of --for end it, in the opposite order: a process that does not end in time is "
            + "killed, and the status is 1 then. A second signal kills what is left. SIGHUP goes to the broker, which "
            + "reads the configuration again. No process of a deployment outlives this command, unless it has made itself a session of its own.",
    ]
    static let config = Option<String?>.text("config", "FILE", "the configuration, YAML or JSON")
    static let duration = Option<Int64?>.duration("for", "DURATION", "end after this time")
    static let options: [any OptionDeclaration] = [config, duration]
    static let examples = [
        Example("ration up --config deploy/ration.yaml", "a deployment"),
        Example("ration up --config deploy/ration.yaml --for 1m", "for a minute"),
    ]

    private let file: String
    private let milliseconds: Int64?

    init(_ arguments: ParsedArguments) throws {
        guard let file = arguments[Self.config] else { throw UsageError("'up' needs --config FILE") }
        self.file = file
        milliseconds = arguments[Self.duration]
    }

    func run(_ console: Console) throws -> ExitStatus {
        let signals = try SignalSource([SIGINT, SIGTERM, SIGHUP])
        let processes = DeploymentProcesses(try configuration(console), file: file).all
        let supervisor = try Supervisor(
            processes, descriptor: STDOUT_FILENO, prefixes: Self.prefixes(processes.map(\.name), console.terminal))
        let isClean = supervisor.run(forMilliseconds: milliseconds, signalDescriptor: signals.fileDescriptor) {
            guard let signal = signals.next() else { return nil }
            return signal == SIGHUP && console.terminal.hasGone ? SIGTERM : signal
        }
        return isClean ? .success : .failure
    }

    /// - Throws: `CommandFailure` with all faults.
    private func configuration(_ console: Console) throws -> Configuration {
        let zones = try InstalledZones.read()
        do throws(ConfigurationFaults) {
            let configuration = try Configuration.read(
                file: file, orders: plugins.orderNames, zones: zones, services: InstalledServices(plugins))
            for warning in configuration.warnings { console.complain(warning.warning) }
            try DeploymentProcesses.checkEndpoints(of: configuration.broker, in: file)
            return configuration
        } catch {
            throw CommandFailure(error)
        }
    }

    private static let styles: [Terminal.Style] = [.cyan, .yellow, .green, .magenta, .blue]

    /// The names, padded to one width, each in a colour of its own where colours are taken.
    private static func prefixes(_ names: [String], _ terminal: Terminal) -> [String] {
        let width = (names + [name]).map(\.utf8.count).max() ?? 0
        func prefix(_ name: String, _ style: Terminal.Style) -> String {
            let padding = String(repeating: " ", count: width - name.utf8.count)
            return terminal.styled("\(name)\(padding) |", style) + " "
        }
        let coloured = names.enumerated().map { prefix($1, styles[$0 % styles.count]) }
        return coloured + [prefix(name, .dim)]
    }
}

extension Terminal {
    /// Whether it was a terminal and is one no more: its window was closed.
    fileprivate var hasGone: Bool {
        var request = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return isInteractive && poll(&request, 1, 0) > 0 && request.revents & Int16(POLLHUP | POLLERR) != 0
    }
}
