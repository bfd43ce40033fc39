extension Policy {
    /// Checks what semantics.md section 3 demands of a policy as a whole.
    /// - Parameter orders: the names of the orders that are installed.
    /// - Returns: all faults, in the order in which semantics.md shows the policy's keys; none for a policy that can be used.
    public func faults(orders: [String]) -> [PolicyFault] {
        var faults: [PolicyFault] = []
        faults.check(slots, in: Limits.slots, at: "slots")
        if !orders.contains(order) {
            faults.append(
                PolicyFault(path: "order", "expected one of \(orders.joined(separator: ", ")), found '\(order)'"))
        }
        faults.check(queueLimit, in: Limits.queueLimit, at: "queueLimit")
        checkDuration(graceMilliseconds, at: "grace", &faults)
        if let maxDelayMilliseconds { checkDuration(maxDelayMilliseconds, at: "maxDelay", &faults) }
        faults.check(unknownPriority, in: Limits.priority, at: "unknownPriority")
        checkTypes(&faults)
        checkQuotas(&faults)
        faults += QuietWindow.faults(of: quietHours, at: "quietHours")
        checkCaps(&faults)
        let named = typeNames.count
        if faults.isEmpty, named > Limits.policyTypes {
            faults.append(
                PolicyFault(path: "", "expected at most \(Limits.policyTypes) types to be named, found \(named)"))
        }
        return faults
    }

    /// The names of all types that the policy names anywhere, in UTF-8.
    public var typeNames: Set<[UInt8]> {
        var names = types.map(\.name) + quotas.map(\.type).filter { $0 != Quota.others }
        for window in quietHours { names += window.types ?? [] }
        for cap in caps { names += cap.types ?? [] }
        return Set(names.map { Array($0.utf8) })
    }

    private func checkDuration(_ value: Int64, at path: String, _ faults: inout [PolicyFault]) {
        guard !Limits.policyDurationMilliseconds.contains(value) else { return }
        faults.append(PolicyFault(path: path, "expected a duration from 0 to 3653d, found \(value)ms"))
    }

    private func checkTypes(_ faults: inout [PolicyFault]) {
        faults.checkCount(types.count, atMost: Limits.policyTypes, of: "types", at: "types")
        // By its bytes: two texts that Unicode calls equivalent are two prefixes.
        var owners: [[UInt8]: String] = [:]
        var lastName: String?
        for type in types {
            let path = "types.\(type.name)"
            faults.checkName(type.name, at: path)
            // They are sorted by name.
            if let lastName, lastName.utf8.elementsEqual(type.name.utf8) {
                faults.append(PolicyFault(path: path, "the type '\(type.name.shortened)' is named twice"))
            }
            lastName = type.name
            if let priority = type.priority { faults.check(priority, in: Limits.priority, at: "\(path).priority") }
            if let delay = type.maxDelayMilliseconds { checkDuration(delay, at: "\(path).maxDelay", &faults) }
            for (index, prefix) in type.prefixes.enumerated() {
                checkPrefix(prefix, of: type.name, at: "\(path).prefix[\(index)]", &owners, &faults)
            }
        }
    }

    /// A prefix is not empty, can begin an id, and belongs to one type.
    private func checkPrefix(
        _ prefix: String, of type: String, at path: String, _ owners: inout [[UInt8]: String],
        _ faults: inout [PolicyFault]
    ) {
        guard !prefix.isEmpty, prefix.utf8.count <= Limits.idBytes else {
            faults.append(
                PolicyFault(
                    path: path, "expected a prefix of 1 to \(Limits.idBytes) bytes, found \(prefix.utf8.count)"))
            return
        }
        let bytes = Array(prefix.utf8)
        if let owner = owners[bytes] {
            faults.append(PolicyFault(path: path, "the prefix '\(prefix)' belongs to the type '\(owner)' already"))
        }
        owners[bytes] = type
    }
}
