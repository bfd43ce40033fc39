public import RationConfiguration
public import RationModel

extension Option where Value == String? {
    /// The option of a configuration's key; its value is checked when the command line is read.
    public init(_ key: ConfigurationKey) {
        self.init(key.name, key.placeholder, key.meaning, defaultText: key.defaultText) { texts throws(Mismatch) in
            if let text = texts.first { try key.check(text) }
            return texts.first
        }
    }
}

/// The options of a command that runs a broker: `--config FILE` and one for every key of the broker's section.
public enum BrokerOptions {
    public static let config = Option<String?>.text(
        "config", "FILE", "the configuration, YAML or JSON; options win over it")

    static let keys = BrokerConfiguration.keys.map { Option($0) }

    public static let all: [any OptionDeclaration] = [config] + keys

    /// Reads the configuration that a command line names.
    /// - Throws: `CommandFailure` with all faults.
    public static func configuration(
        _ arguments: ParsedArguments, orders: [String], zones: any ZoneChecking
    ) throws -> Configuration {
        var overrides: [String: String] = [:]
        for option in keys { overrides[option.name] = arguments[option] }
        do throws(ConfigurationFaults) {
            return try Configuration.read(
                file: arguments[config], overrides: overrides, orders: orders, zones: zones)
        } catch {
            throw CommandFailure(error)
        }
    }
}

/// An endpoint of the broker that a command talks to: its option, else what the file of `--config` says, else the
/// default of wire.md.
///
/// ```swift
/// static let options: [any OptionDeclaration] = [BrokerEndpoint.config, BrokerEndpoint.intents.option]
/// init(_ arguments: ParsedArguments) throws { intents = try BrokerEndpoint.intents.address(in: arguments) }
/// ```
public struct BrokerEndpoint: Sendable {
    public let option: Option<String?>
    private let configured: @Sendable (BrokerConfiguration) throws(Mismatch) -> Endpoint

    public static let config = Option<String?>.text(
        "config", "FILE", "take the broker's endpoints that are not given here from this configuration")
    public static let intents = BrokerEndpoint("intents", "the broker's endpoint for intents") { $0.intents }
    public static let events = BrokerEndpoint("events", "the broker's endpoint for live events") { $0.events }
    public static let queries = BrokerEndpoint("queries", "the broker's endpoint for queries") { $0.queries }
    /// By default in the data folder of the configuration.
    public static let admin = BrokerEndpoint("admin", "the broker's endpoint for administration") {
        broker throws(Mismatch) in try broker.adminEndpoint()
    }

    private init(
        _ name: String, _ meaning: String,
        _ configured: @escaping @Sendable (BrokerConfiguration) throws(Mismatch) -> Endpoint
    ) {
        // The defaults are endpoints.
        let standard = try? configured(BrokerConfiguration()).text
        option = Option(name, "ENDPOINT", meaning, defaultText: standard) { texts throws(Mismatch) in
            guard let text = texts.first else { return nil }
            return try Endpoint(text).text
        }
        self.configured = configured
    }

    /// The endpoint as libzmq takes it. The command declares `option` and `BrokerEndpoint.config`.
    /// - Throws: `CommandFailure` with all faults of the configuration.
    public func address(in arguments: ParsedArguments) throws -> String {
        if let text = arguments[option] { return text }
        var broker = BrokerConfiguration()
        if let file = arguments[Self.config] {
            do throws(ConfigurationFaults) {
                broker = try Configuration.read(endpointsOf: file).broker
            } catch {
                throw CommandFailure(error)
            }
        }
        do throws(Mismatch) {
            return try configured(broker).text
        } catch {
            throw CommandFailure("--\(option.name): \(error.message)")
        }
    }
}
