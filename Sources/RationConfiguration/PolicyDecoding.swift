import RationModel

/// Makes a policy of a document's tree.
struct PolicyDecoding {
    var decoding: Decoding
    /// The path of the policy in its document: empty in a file of its own.
    let base: String
    let orders: [String]
    let zones: any ZoneChecking

    private static let keys = [
        "slots", "overflow", "order", "queueLimit", "grace", "maxDelay", "unknownPriority", "timeZone",
        "categories", "types", "quietHours", "caps", "quotas",
    ]
    private static let typeKeys = ["priority", "prefix", "keepsTime", "maxDelay"]

    /// - Returns: the policy, with the defaults where something was refused.
    mutating func policy(_ root: YAMLNode) -> Policy {
        let fields = decoding.fields(root, at: base, keys: Self.keys)
        var policy = Policy()
        read(fields["slots"], into: &policy.slots, Self.wholeNumber)
        read(fields["overflow"], into: &policy.overflow, Self.word)
        read(fields["order"], into: &policy.order, Self.order)
        read(fields["queueLimit"], into: &policy.queueLimit, Self.wholeNumber)
        read(fields["grace"], into: &policy.graceMilliseconds, Self.duration)
        read(fields["maxDelay"], into: &policy.maxDelayMilliseconds, Self.duration)
        read(fields["unknownPriority"], into: &policy.unknownPriority, Self.wholeNumber)
        read(fields["timeZone"], into: &policy.timeZone, Self.timeZone)
        read(fields["categories"], into: &policy.categories, Self.word)
        if let entry = fields["types"] { policy.setTypes(types(entry.value)) }
        if let entry = fields["quotas"] { policy.setQuotas(quotas(entry.value, at: path(of: entry))) }
        if let entry = fields["quietHours"] { policy.quietHours = quietHours(entry.value, at: path(of: entry)) }
        if let entry = fields["caps"] { policy.caps = caps(entry.value, at: path(of: entry)) }
        checkWhole(policy, root.place)
        return policy
    }

    /// The rules of a policy as a whole, told where the document breaks them.
    private mutating func checkWhole(_ policy: Policy, _ root: YAMLPlace) {
        for fault in policy.faults(orders: orders) {
            decoding.refuseDecoded(DottedPath.joined(base, fault.path), root: root, fault.message)
        }
        for warning in policy.warnings() {
            decoding.warnDecoded(DottedPath.joined(base, warning.path), root: root, warning.message)
        }
    }

    private func path(of entry: YAMLEntry) -> String {
        DottedPath.joined(base, entry.key)
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
