import Glibc
import RationBus
import RationCommandLine
import RationConfiguration
import RationModel
import RationPluginKit
import RationScheduling

/// `ration scheduler`: one scheduler of a configuration, as a process.
struct SchedulerCommand: Command {
    static let name = "scheduler"
    static let summary = "Run a scheduler: from facts to the notifications that should be pending"
    static let details = [
        "Reads the facts with the queries of the configuration, asks the scheduler what should be pending, compares with "
            + "what was published before, and publishes the difference. What the broker has not acknowledged is kept in the "
            + "state file and sent again, also by the next process.",
        "It runs every so often, when the facts file changes, when a date has come, on SIGUSR1, and when the broker has "
            + "another event log. Each run that has something to say is one line. Facts that cannot be read are told, and "
            + "change nothing. SIGTERM and SIGINT end it.",
    ]
    static let scheduler = Argument<String>.required("NAME", "the scheduler's name in the configuration")
    static let once = Option<Bool>.flag("once", "one run, and the end; status 1 if there was none")
    static let timeout = Option<Int64>.duration(
        "timeout", "DURATION", default: "30s", "with --once: how long to wait for the broker")
    static let config = Option<String?>.text("config", "FILE", "the configuration, YAML or JSON; it is needed")
    static let arguments: [any ArgumentDeclaration] = [scheduler]
    static let options: [any OptionDeclaration] = [
        config, once, timeout, BrokerEndpoint.intents.option, BrokerEndpoint.queries.option,
    ]
    static let examples = [
        Example("ration scheduler habit --config deploy/ration.yaml", "as long as it is not stopped"),
        Example("ration scheduler habit --config deploy/ration.yaml --once", "for a timer"),
    ]

    private let isOnce: Bool
    private let timeoutMilliseconds: Int64
    private let configuration: SchedulerConfiguration
    private let options: SchedulerOptions

    init(_ arguments: ParsedArguments) throws {
        guard let file = arguments[Self.config] else { throw UsageError("--config FILE is needed") }
        isOnce = arguments[Self.once]
        timeoutMilliseconds = arguments[Self.timeout]
        configuration = try Self.configuration(arguments[Self.scheduler], in: file)
        var options = SchedulerOptions(
            name: configuration.name, facts: configuration.facts, state: configuration.state,
            queries: configuration.queries, intentsEndpoint: try BrokerEndpoint.intents.address(in: arguments),
            queriesEndpoint: try BrokerEndpoint.queries.address(in: arguments))
        options.everyMilliseconds = configuration.everyMilliseconds
        options.retryMilliseconds = configuration.retryMilliseconds
        options.gapMilliseconds = min(options.gapMilliseconds, configuration.everyMilliseconds)
        self.options = options
    }

    private static func configuration(_ name: String, in file: String) throws -> SchedulerConfiguration {
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration = try Configuration.read(servicesOf: file, InstalledServices(plugins))
        } catch {
            throw CommandFailure(error)
        }
        let schedulers = configuration.schedulers
        guard let found = schedulers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let names = schedulers.isEmpty ? "has none" : "has \(schedulers.map(\.name).joined(separator: ", "))"
            throw CommandFailure("\(file): no scheduler is called '\(name)'; the file \(names)")
        }
        return found
    }

    func run(_ console: Console) throws -> ExitStatus {
        // Before ZeroMQ starts its threads.
        let source = try SignalSource([SIGINT, SIGTERM, SIGUSR1])
        let signals = SchedulerSignals(fileDescriptor: source.fileDescriptor) {
            source.next().map { $0 == SIGUSR1 ? .run : .stop }
        }
        let scheduler = try scheduler()
        let runner = try SchedulerRunner(
            scheduler, options, zones: try InstalledZones.read(), in: Context(), signals: signals
        ) { Self.tell($0, console) }
        if isOnce {
            try runner.runOnce(timeoutMilliseconds: timeoutMilliseconds)
        } else {
            try runner.run()
        }
        return .success
    }

    /// The plugin with its settings, which the configuration's reading has checked.
    private func scheduler() throws -> any Scheduler {
        guard let type = plugins.schedulers.first(where: { $0.name.utf8.elementsEqual(configuration.plugin.utf8) })
        else {
            throw CommandFailure("no scheduler plugin is called '\(configuration.plugin)'")
        }
        return try type.init(settings: configuration.settings)
    }

    private static func tell(_ notice: SchedulerNotice, _ console: Console) {
        switch notice {
        case .complaint(let text): console.complain(text.printable)
        case .line(let text):
            do {
                try console.output.line(text.printable)
                try console.output.flush()
            } catch {
                // Whoever read the output has gone; the work goes on.
                return
            }
        }
    }
}
