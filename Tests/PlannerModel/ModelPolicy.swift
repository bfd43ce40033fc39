import RationModel

/// A policy as section 3 of the planning contract writes it, read again from its JSON.
struct ModelPolicy {
    struct Kind {
        var name: Text
        var priority: Int64?
        var prefixes: [Text]
        var keepsTime: Bool
        var maxDelay: Int64?
    }

    var slots: Int64
    var drops: Bool
    var ordersByPriority: Bool
    var queueLimit: Int64
    var grace: Int64
    var maxDelay: Int64?
    var unknownPriority: Int64
    var timeZone: Text
    var kinds: [Kind]
    var windows: [ModelWindow]
    var caps: [ModelCap]
    /// In the order in which their guarantees are filled: (priority, name), `*` last.
    var quotas: [ModelQuota]

    init(_ policy: Value) {
        slots = policy["slots"]?.integer ?? 64
        drops = policy["overflow"]?.text == "drop"
        ordersByPriority = policy["order"]?.text == "priority"
        queueLimit = policy["queueLimit"]?.integer ?? 1024
        grace = Self.duration(policy["grace"]) ?? 3_600_000
        maxDelay = Self.duration(policy["maxDelay"])
        unknownPriority = policy["unknownPriority"]?.integer ?? 99
        timeZone = policy["timeZone"]?.text ?? "UTC"
        windows = (policy["quietHours"]?.elements ?? []).compactMap(ModelWindow.init)
        caps = (policy["caps"]?.elements ?? []).map(ModelCap.init)
        quotas = []
        kinds = (policy["types"]?.members ?? []).map { member in
            Kind(
                name: member.key,
                priority: member.value["priority"]?.integer,
                prefixes: member.value["prefix"]?.elements?.compactMap(\.text) ?? [],
                keepsTime: member.value["keepsTime"]?.bool ?? false,
                maxDelay: Self.duration(member.value["maxDelay"]))
        }
        let quotas = (policy["quotas"]?.members ?? []).map { ModelQuota(type: $0.key, $0.value) }
        self.quotas = quotas.sorted { left, right in
            guard let leftType = left.type, let rightType = right.type else { return right.type == nil }
            return (priority(leftType), leftType) < (priority(rightType), rightType)
        }
    }

    static func duration(_ value: Value?) -> Int64? {
        value?.text.flatMap { WrittenDuration.milliseconds($0.description) }
    }

    /// The intent's type; else the type with the longest prefix of the id; else `unknown`.
    func type(named name: Text?, id: Text) -> Text {
        if let name { return name }
        let prefixes = kinds.flatMap { kind in kind.prefixes.map { (prefix: $0, name: kind.name) } }
        let fitting = prefixes.filter { id.hasPrefix($0.prefix) }
        return fitting.max { $0.prefix.byteCount < $1.prefix.byteCount }?.name ?? "unknown"
    }

    private func kind(_ type: Text) -> Kind? {
        kinds.first { $0.name == type }
    }

    func priority(_ type: Text) -> Int64 {
        kind(type)?.priority ?? unknownPriority
    }

    func keepsTime(_ type: Text) -> Bool {
        kind(type)?.keepsTime ?? false
    }

    func maxDelay(_ type: Text) -> Int64? {
        kind(type)?.maxDelay ?? maxDelay
    }
}
