import RationModel

/// Makes a configuration of a document's tree.
struct ConfigurationDecoding {
    var decoding: Decoding
    let installed: Configuration.Installed

    private static let sections = ["broker", "policy", "schedulers", "subscribers", "processes"]

    init(file: String, installed: Configuration.Installed) {
        decoding = Decoding(file: file)
        self.installed = installed
    }

    mutating func configuration(_ document: YAMLDocument) -> Configuration {
        decoding.add(document.faults)
        var configuration = Configuration()
        let sections = decoding.fields(document.root, at: "", keys: Self.sections)
        if let section = sections["broker"] { read(section.value, into: &configuration.broker) }
        if let policy = sections["policy"] { read(policy, into: &configuration) }
        if let services = installed.services {
            var reading = ServiceDecoding(decoding: decoding, broker: configuration.broker, installed: services)
            reading.read(sections, into: &configuration)
            decoding = reading.decoding
        }
        return configuration
    }

    private mutating func read(_ policy: YAMLEntry, into configuration: inout Configuration) {
        if configuration.broker.policySource == .standard {
            takeInline(policy.value, at: "policy", &configuration.broker)
        } else {
            decoding.refuse(policy.place, at: "policy", "expected one policy, found another under broker.policy")
        }
    }

    private mutating func read(_ section: YAMLNode, into broker: inout BrokerConfiguration) {
        let keys = BrokerConfiguration.keys
        let fields = decoding.fields(section, at: "broker", keys: keys.map(\.name))
        for key in keys {
            guard let field = fields[key.name] else { continue }
            read(field.value, of: key, into: &broker)
        }
    }

    private mutating func read(_ node: YAMLNode, of key: ConfigurationKey, into broker: inout BrokerConfiguration) {
        let path = "broker.\(key.name)"
        if key.form == .pathOrMapping, case .mapping = node.value {
            if key.name == "categories" { return takeCategories(node, at: path, &broker) }
            return takeInline(node, at: path, &broker)
        }
        guard let text = text(node, of: key, at: path) else { return }
        do {
            try key.set(&broker, key.form.isPath ? FileText.path(text, besideFile: decoding.file) : text)
        } catch {
            decoding.refuse(node.place, at: path, error.message)
        }
    }

    private mutating func text(_ node: YAMLNode, of key: ConfigurationKey, at path: String) -> String? {
        switch key.form {
        case .text, .path: return decoding.text(node, at: path)
        case .pathOrMapping: return decoding.text(node, at: path, expected: "a file's path or a mapping")
        case .size:
            if case .scalar(let scalar) = node.value, scalar.kind == .wholeNumber { return scalar.text }
            let expected = "a whole number of bytes, or one with KiB, MiB or GiB"
            guard let text = decoding.text(node, at: path, expected: expected) else { return nil }
            guard text.utf8.last.map({ $0 < 0x30 || $0 > 0x39 }) ?? false else {
                decoding.refuse(node.place, at: path, "expected \(expected), found \(node.summary)")
                return nil
            }
            return text
        }
    }

    private mutating func takeCategories(_ node: YAMLNode, at path: String, _ broker: inout BrokerConfiguration) {
        broker.categoriesSource = .inline
        guard installed.policies != nil else { return }
        var reading = CategoryDecoding(decoding: decoding, base: path)
        broker.categories = reading.declarations(node)
        decoding = reading.decoding
    }

    private mutating func takeInline(_ node: YAMLNode, at path: String, _ broker: inout BrokerConfiguration) {
        broker.policySource = .inline
        guard let policies = installed.policies else { return }
        var reading = PolicyDecoding(
            decoding: decoding, base: path, orders: policies.orders, zones: policies.zones)
        broker.policy = reading.policy(node)
        decoding = reading.decoding
    }
}

extension ConfigurationKey.Form {
    fileprivate var isPath: Bool { self == .path || self == .pathOrMapping }
}
