import RationCommandLine
import RationConfiguration
import RationModel
import RationPluginKit

/// `ration check`: all faults of a configuration and of policies at once.
struct CheckCommand: Command {
    static let name = "check"
    static let summary = "Check a configuration and policies, and tell all faults at once"
    static let details = [
        "Each fault is a line, file:line:column: path: message. The status is 0 when there is none, else 1.",
        "A warning is such a line too, with 'warning: ' before its message; it changes no status.",
    ]
    static let config = Option<String?>.text(
        "config", "FILE",
        "the configuration, its schedulers, subscribers and processes, and the policy and categories that it names")
    static let policy = Option<String?>.text("policy", "FILE", "a policy")
    static let options: [any OptionDeclaration] = [config, policy]
    static let examples = [
        Example("ration check --config deploy/ration.yaml", "what 'ration up' would run"),
        Example("ration check --policy deploy/policy.yaml", "a policy before it is put in force"),
    ]

    private let configFile: String?
    private let policyFile: String?

    init(_ arguments: ParsedArguments) throws {
        configFile = arguments[Self.config]
        policyFile = arguments[Self.policy]
        guard configFile != nil || policyFile != nil else {
            throw UsageError("'check' needs --config FILE or --policy FILE")
        }
    }

    /// What is told, each thing once: a policy may be named by the configuration and by itself.
    private struct Report {
        var lines: [String] = []
        var faults: [ConfigurationFault] = []
        var warnings: [ConfigurationFault] = []

        mutating func add(_ line: String) {
            if !lines.contains(line) { lines.append(line) }
        }

        mutating func add(_ more: ConfigurationFaults) {
            let known = Set(faults)
            faults += more.faults.filter { !known.contains($0) }
        }

        mutating func warn(_ more: [ConfigurationFault]) {
            warnings += more.filter { !warnings.contains($0) }
        }
    }

    func run(_ console: Console) throws -> ExitStatus {
        let zones = try InstalledZones.read()
        var report = Report()
        if let configFile { check(configuration: configFile, zones, &report) }
        if let policyFile { check(policy: policyFile, zones, &report) }
        for line in report.lines { try console.output.line(line) }
        try console.output.flush()
        for warning in report.warnings { try console.errors.line(Self.text(ofWarning: warning)) }
        for fault in report.faults { try console.errors.line(fault.description) }
        try console.errors.flush()
        return report.faults.isEmpty ? .success : .failure
    }

    private func check(configuration file: String, _ zones: any ZoneChecking, _ report: inout Report) {
        do {
            let configuration = try Configuration.read(
                file: file, orders: plugins.orderNames, zones: zones, services: InstalledServices(plugins))
            let broker = configuration.broker
            report.warn(configuration.warnings)
            report.add("\(file): \(Self.summary(of: broker))")
            for line in Self.summaries(of: configuration) { report.add("\(file): \(line)") }
            if case .file(let path) = broker.policySource {
                report.add("\(path): \(Self.summary(of: broker.policy))")
            }
            if case .file(let path) = broker.categoriesSource {
                report.add("\(path): \(broker.categories.summary)")
            }
        } catch {
            report.add(error)
        }
    }

    private func check(policy file: String, _ zones: any ZoneChecking, _ report: inout Report) {
        do {
            let result = try PolicyReader.readWithWarnings(file: file, orders: plugins.orderNames, zones: zones)
            report.warn(result.warnings)
            report.add("\(file): \(Self.summary(of: result.policy))")
        } catch {
            report.add(error)
        }
    }

    private static func text(ofWarning warning: ConfigurationFault) -> String {
        var warning = warning
        warning.message = "warning: " + warning.message
        return warning.description
    }

    private static func summary(of broker: BrokerConfiguration) -> String {
        let policy =
            switch broker.policySource {
            case .standard: "the standard policy"
            case .inline: "a policy of \(summary(of: broker.policy))"
            case .file(let path): "policy \(path)"
            }
        let http = broker.http.map { "http \($0)" } ?? "no http"
        return "data \(broker.data), intents \(broker.intents), events \(broker.events), queries \(broker.queries), "
            + "\(http), \(policy)"
    }

    /// One line for each scheduler, subscriber and process.
    private static func summaries(of configuration: Configuration) -> [String] {
        let schedulers = configuration.schedulers.map { scheduler in
            "scheduler \(scheduler.name): plugin \(scheduler.plugin), facts \(scheduler.facts), state \(scheduler.state), "
                + "every \(WrittenDuration.text(scheduler.everyMilliseconds))"
        }
        let subscribers = configuration.subscribers.map { subscriber in
            "subscriber \(subscriber.name): plugin \(subscriber.plugin), data \(subscriber.data)"
                + (subscriber.http.map { ", http \($0)" } ?? "")
        }
        let processes = configuration.processes.map { process in
            "process \(process.name): \(Quoted.short(process.command.joined(separator: " "), limit: 200))"
        }
        return schedulers + subscribers + processes
    }

    private static func summary(of policy: Policy) -> String {
        let types = policy.types.count == 1 ? "1 type" : "\(policy.types.count) types"
        return "\(types), order \(policy.order), \(policy.slots) slots"
    }
}
