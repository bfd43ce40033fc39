import RationModel

/// Makes a policy of a document's tree.
struct PolicyDecoding {
    var decoding: Decoding
    /// The path of the policy in its document: empty in a file of its own.
    let base: String
    let orders: [String]
    let zones: any ZoneChecking

    private static let keys = [
        "slots", "overflow", "order", "queueLimit", "grace", "maxDelay", "unknownPriority", "timeZone", "types",
        "quietHours", "caps", "quotas",
    ]
    private static let typeKeys = ["priority", "prefix", "keepsTime", "maxDelay"]
    /// Keys of the contract that this version refuses when they ask for something.
    private static let unsupported = [("quietHours", "quiet hours"), ("caps", "frequency caps"), ("quotas", "quotas")]

    /// - Returns: the policy, with the defaults where something was refused.
    mutating func policy(_ root: YAMLNode) -> Policy {
        let fields = decoding.fields(root, at: base, keys: Self.keys)
        var policy = Policy()
        read(fields["slots"], into: &policy.slots, Self.wholeNumber)
        read(fields["overflow"], into: &policy.overflow, Self.overflow)
        read(fields["order"], into: &policy.order, Self.order)
        read(fields["queueLimit"], into: &policy.queueLimit, Self.wholeNumber)
        read(fields["grace"], into: &policy.graceMilliseconds, Self.duration)
        read(fields["maxDelay"], into: &policy.maxDelayMilliseconds, Self.duration)
        read(fields["unknownPriority"], into: &policy.unknownPriority, Self.wholeNumber)
        read(fields["timeZone"], into: &policy.timeZone, Self.timeZone)
        if let entry = fields["types"] { policy.setTypes(types(entry.value)) }
        refuseUnsupported(fields)
        checkWhole(policy, root.place)
        return policy
    }

    /// The rules of a policy as a whole, told where the document breaks them.
    private mutating func checkWhole(_ policy: Policy, _ root: YAMLPlace) {
        for fault in policy.faults(orders: orders) {
            decoding.refuseDecoded(DottedPath.joined(base, fault.path), root: root, fault.message)
        }
    }

    private mutating func refuseUnsupported(_ fields: [String: YAMLEntry]) {
        for (key, name) in Self.unsupported {
            guard let entry = fields[key], !entry.value.isEmptyCollection else { continue }
            decoding.refuse(
                entry.place, at: DottedPath.joined(base, key), "\(name) are not supported by this version")
        }
    }

    private mutating func types(_ node: YAMLNode) -> [NotificationType] {
        let path = DottedPath.joined(base, "types")
        return (decoding.entries(node, at: path, keepsNull: true) ?? []).map { entry in
            let typePath = DottedPath.joined(path, entry.key)
            decoding.remember(typePath, entry.place)
            return type(entry, at: typePath)
        }
    }

    private mutating func type(_ entry: YAMLEntry, at path: String) -> NotificationType {
        var type = NotificationType(name: entry.key)
        // A name alone is a type without settings of its own.
        guard !entry.value.isNull else { return type }
        let fields = decoding.fields(entry.value, at: path, keys: Self.typeKeys)
        read(fields["priority"], into: &type.priority, under: path, Self.wholeNumber)
        read(fields["keepsTime"], into: &type.keepsTime, under: path, Self.truth)
        read(fields["maxDelay"], into: &type.maxDelayMilliseconds, under: path, Self.duration)
        if let prefix = fields["prefix"] { type.prefixes = prefixes(prefix.value, at: "\(path).prefix") }
        return type
    }

    /// A list of texts; a single text is a list of one.
    private mutating func prefixes(_ node: YAMLNode, at path: String) -> [String] {
        guard case .sequence(let items) = node.value else {
            decoding.remember("\(path)[0]", node.place)
            return decoding.text(node, at: path, expected: "a list of texts").map { [$0] } ?? []
        }
        var prefixes: [String] = []
        for (index, item) in items.enumerated() {
            let written = "\(path)[\(index)]"
            guard let text = decoding.text(item, at: written) else { continue }
            decoding.remember("\(path)[\(prefixes.count)]", item.place, written: written)
            prefixes.append(text)
        }
        return prefixes
    }
}

/// How single values are read.
extension PolicyDecoding {
    private typealias Reading<Value> = (inout PolicyDecoding, YAMLNode, String) -> Value?

    private mutating func read<Value>(
        _ entry: YAMLEntry?, into target: inout Value, under path: String? = nil, _ reading: Reading<Value>
    ) {
        guard let entry, let value = reading(&self, entry.value, DottedPath.joined(path ?? base, entry.key)) else {
            return
        }
        target = value
    }

    private mutating func read<Value>(
        _ entry: YAMLEntry?, into target: inout Value?, under path: String? = nil, _ reading: Reading<Value>
    ) {
        guard let entry else { return }
        target = reading(&self, entry.value, DottedPath.joined(path ?? base, entry.key))
    }

    private static func wholeNumber(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Int? {
        reader.decoding.wholeNumber(node, at: path)
    }

    private static func truth(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Bool? {
        reader.decoding.truth(node, at: path)
    }

    private static func duration(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> Int64? {
        let expected = "a duration such as 500ms, 90s, 5m, 1h or 7d"
        guard let text = reader.decoding.text(node, at: path, expected: expected) else { return nil }
        guard let milliseconds = WrittenDuration.milliseconds(text) else {
            reader.decoding.refuse(node.place, at: path, "expected \(expected), found \(node.summary)")
            return nil
        }
        return milliseconds
    }

    private static func order(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> String? {
        reader.decoding.text(node, at: path, expected: "one of \(reader.orders.joined(separator: ", "))")
    }

    private static func overflow(
        _ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String
    ) -> Policy.Overflow? {
        let expected = Policy.Overflow.allCases.map(\.rawValue).joined(separator: " or ")
        guard let text = reader.decoding.text(node, at: path, expected: expected) else { return nil }
        guard let overflow = Policy.Overflow(rawValue: text) else {
            reader.decoding.refuse(node.place, at: path, "expected \(expected), found \(node.summary)")
            return nil
        }
        return overflow
    }

    private static func timeZone(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> String? {
        let expected = "a time zone of the tz database such as Europe/Madrid"
        guard var text = reader.decoding.text(node, at: path, expected: expected) else { return nil }
        guard text.withUTF8({ reader.zones.contains(UnsafeRawBufferPointer($0)) }) else {
            reader.decoding.refuse(node.place, at: path, "expected \(expected), found \(node.summary)")
            return nil
        }
        return text
    }
}

extension YAMLNode {
    /// An empty list or mapping.
    fileprivate var isEmptyCollection: Bool {
        switch value {
        case .sequence(let items): items.isEmpty
        case .mapping(let entries): entries.isEmpty
        case .scalar: false
        }
    }
}
