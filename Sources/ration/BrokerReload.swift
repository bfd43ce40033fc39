import RationBroker
import RationCommandLine
import RationConfiguration
import RationPlanner
import RationPluginKit

/// What SIGHUP does: the configuration, the policy and the categories that it names and the tz database are read and validated as a whole;
/// only then is anything taken up.
struct BrokerReload {
    let arguments: ParsedArguments
    /// What the broker was started with.
    let started: BrokerConfiguration

    func run(_ broker: Broker, _ console: Console) {
        do {
            let zones = try InstalledZones.read()
            let configuration = try BrokerOptions.configuration(arguments, orders: plugins.orderNames, zones: zones)
            let policy = try PolicyRevision(configuration: configuration.broker, arguments)
            for warning in configuration.warnings { console.complain(warning.warning) }
            for key in unchangeable(in: configuration.broker) {
                console.complain("broker.\(key) has changed: that counts from the next start")
            }
            // A policy that nothing names was put, or is the standard one: it stays.
            broker.takeUp(
                policy.isNamed ? policy : nil, ZonesRevision(installed: zones),
                CategoriesRevision(configuration: configuration.broker, arguments))
        } catch let failure as CommandFailure {
            for message in failure.messages { console.complain(message) }
            console.complain("SIGHUP: nothing was changed")
        } catch {
            console.complain("\(error)")
            console.complain("SIGHUP: nothing was changed")
        }
    }

    /// The keys that a running broker does not take up.
    private func unchangeable(in new: BrokerConfiguration) -> [String] {
        let same = [
            ("data", new.data == started.data), ("intents", new.intents == started.intents),
            ("events", new.events == started.events), ("queries", new.queries == started.queries),
            ("admin", new.admin == started.admin), ("http", new.http == started.http),
            ("retentionBytes", new.retentionBytes == started.retentionBytes),
            ("retention", new.retentionMilliseconds == started.retentionMilliseconds),
            ("watermarkBytes", new.watermarkBytes == started.watermarkBytes),
            ("watermarkPercent", new.watermarkPercent == started.watermarkPercent),
            ("ballastBytes", new.ballastBytes == started.ballastBytes),
        ]
        return same.filter { !$0.1 }.map(\.0)
    }
}

extension PolicyRevision {
    /// The policy that a configuration names.
    init(configuration broker: BrokerConfiguration, _ arguments: ParsedArguments) throws {
        let source = broker.policySource.words(standard: "the standard policy", arguments)
        self.init(
            try CompiledPolicy(installed: broker.policy), source: source, isNamed: broker.policySource != .standard)
    }
}

extension CategoriesRevision {
    /// The categories that a configuration names.
    init(configuration broker: BrokerConfiguration, _ arguments: ParsedArguments) {
        let source = broker.categoriesSource.words(standard: "no file", arguments)
        self.init(broker.categories, source: source)
    }
}

extension BrokerConfiguration.PolicySource {
    /// Where it is, for people.
    fileprivate func words(standard: String, _ arguments: ParsedArguments) -> String {
        switch self {
        case .standard: standard
        case .inline: arguments[BrokerOptions.config] ?? "the configuration"
        case .file(let path): path
        }
    }
}

extension ConfigurationFault {
    /// It as a warning's line.
    var warning: String {
        var fault = self
        fault.message = "warning: \(message)"
        return fault.description
    }
}
