public import RationModel

/// The configuration of a deployment, from one YAML or JSON file and options that override it.
public struct Configuration: Hashable, Sendable {
    public var broker = BrokerConfiguration()
    /// In the order of the document, as are the others; empty where the sections were not looked at.
    public var schedulers: [SchedulerConfiguration] = []
    public var subscribers: [SubscriberConfiguration] = []
    public var processes: [ProcessConfiguration] = []
    /// What is worth a warning in the policy and in the categories.
    public var warnings: [ConfigurationFault] = []

    public init() {}

    /// What the parts of a configuration are checked against; a part without it is not looked at.
    struct Installed {
        var policies: (orders: [String], zones: any ZoneChecking)?
        var services: InstalledServices?
    }

    /// Reads a configuration and the policy that it names.
    /// - Parameters:
    ///   - file: nil: the defaults.
    ///   - overrides: texts by the names of `BrokerConfiguration.keys`; they win over the file. A path among them is
    ///     relative to the working directory, one in the file to the file's folder.
    ///   - orders: the names of the orders that are installed.
    ///   - zones: knows the time zones.
    ///   - services: nil: the sections of schedulers, subscribers and processes are not looked at.
    /// - Throws: all faults of the configuration, then all of the policy's file and of the categories'.
    public static func read(
        file: String?, overrides: [String: String] = [:], orders: [String], zones: any ZoneChecking,
        services: InstalledServices? = nil
    ) throws(ConfigurationFaults) -> Configuration {
        var configuration = Configuration()
        var faults: [ConfigurationFault] = []
        let installed = Installed(policies: (orders, zones), services: services)
        if let file { faults += configuration.take(file: file, installed) }
        faults += configuration.broker.take(overrides)
        faults += configuration.broker.endpointFaults(in: file ?? "the options")
        if case .file(let path) = configuration.broker.policySource {
            do {
                let result = try PolicyReader.readWithWarnings(file: path, orders: orders, zones: zones)
                configuration.broker.policy = result.policy
                configuration.warnings += result.warnings
            } catch {
                faults += error.faults
            }
        }
        faults += configuration.readCategories()
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return configuration
    }

    /// Reads a configuration for its endpoints only: the policy, schedulers, subscribers and processes are not looked at.
    /// - Throws: all other faults.
    public static func read(endpointsOf file: String) throws(ConfigurationFaults) -> Configuration {
        try read(file, Installed())
    }

    /// Reads a configuration for one of its schedulers or subscribers: the policy is not looked at.
    /// - Throws: all other faults.
    public static func read(
        servicesOf file: String, _ services: InstalledServices
    ) throws(ConfigurationFaults) -> Configuration {
        try read(file, Installed(services: services))
    }

    /// Reads a text in memory; a policy's or categories' file is named but not read.
    public static func read(
        text: [UInt8], file: String, orders: [String], zones: any ZoneChecking, services: InstalledServices? = nil
    ) throws(ConfigurationFaults) -> Configuration {
        var configuration = Configuration()
        let faults = configuration.take(text: text, file, Installed(policies: (orders, zones), services: services))
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return configuration
    }

    private static func read(
        _ file: String, _ installed: Installed
    ) throws(ConfigurationFaults) -> Configuration {
        var configuration = Configuration()
        let faults = configuration.take(file: file, installed)
        guard faults.isEmpty else { throw ConfigurationFaults(faults) }
        return configuration
    }

    /// Reads the file of categories, if there is one.
    private mutating func readCategories() -> [ConfigurationFault] {
        guard case .file(let path) = broker.categoriesSource else { return [] }
        do {
            let result = try CategoryReader.read(file: path)
            broker.categories = result.declarations
            warnings += result.warnings
            return []
        } catch {
            return error.faults
        }
    }

    private mutating func take(file: String, _ installed: Installed) -> [ConfigurationFault] {
        do {
            return take(text: try FileText.read(file), file, installed)
        } catch {
            return [ConfigurationFault(file: file, message: error.message)]
        }
    }

    private mutating func take(text: [UInt8], _ file: String, _ installed: Installed) -> [ConfigurationFault] {
        do {
            let document = try YAMLDocument(text, file: file)
            var reading = ConfigurationDecoding(file: file, installed: installed)
            self = reading.configuration(document)
            warnings = reading.decoding.warnings
            return reading.decoding.sorted()
        } catch {
            return error.faults
        }
    }
}

extension BrokerConfiguration {
    /// A data folder with too long a path for the admin socket in it, and endpoints that two sockets would bind.
    fileprivate func endpointFaults(in file: String) -> [ConfigurationFault] {
        do throws(Mismatch) {
            let endpoints = [
                ("intents", intents.text), ("events", events.text), ("queries", queries.text),
                ("admin", try adminEndpoint().text),
            ]
            return Self.shared(endpoints, in: file)
        } catch {
            return [ConfigurationFault(file: file, path: "broker.admin", message: error.message)]
        }
    }

    /// Those that leave their port to the system never meet.
    private static func shared(_ endpoints: [(name: String, text: String)], in file: String) -> [ConfigurationFault] {
        endpoints.enumerated().compactMap { index, endpoint in
            guard !endpoint.text.hasSuffix(":0"), !endpoint.text.hasSuffix(":*"),
                let other = endpoints[..<index].first(where: { $0.text == endpoint.text })
            else { return nil }
            return ConfigurationFault(
                file: file, path: "broker.\(endpoint.name)",
                message: "expected an endpoint of its own, found that of \(other.name), '\(endpoint.text)'")
        }
    }

    /// Takes over what options say.
    fileprivate mutating func take(_ overrides: [String: String]) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        for key in Self.keys {
            guard let text = overrides[key.name] else { continue }
            do {
                try key.set(&self, text)
            } catch {
                faults.append(ConfigurationFault(file: "--\(key.name)", message: error.message))
            }
        }
        return faults
    }
}
