/// A fault of a policy: where it is and what was expected.
public struct PolicyFault: Error, Hashable, Sendable {
    /// The path from the policy's root, `types.habit.priority`.
    public var path: String
    public var message: String

    public init(path: String, _ message: String) {
        self.path = path
        self.message = message
    }
}

extension Policy {
    /// Checks what semantics.md section 3 demands of a policy as a whole.
    /// - Parameter orders: the names of the orders that are installed.
    /// - Returns: all faults, in the order of the document; none for a policy that can be used.
    public func faults(orders: [String]) -> [PolicyFault] {
        var faults: [PolicyFault] = []
        check(slots, in: Limits.slots, at: "slots", &faults)
        check(queueLimit, in: Limits.queueLimit, at: "queueLimit", &faults)
        check(unknownPriority, in: Limits.priority, at: "unknownPriority", &faults)
        checkDuration(graceMilliseconds, at: "grace", &faults)
        if let maxDelayMilliseconds { checkDuration(maxDelayMilliseconds, at: "maxDelay", &faults) }
        if !orders.contains(order) {
            faults.append(
                PolicyFault(path: "order", "expected one of \(orders.joined(separator: ", ")), found '\(order)'"))
        }
        checkTypes(&faults)
        return faults
    }

    private func check(_ value: Int, in range: ClosedRange<Int>, at path: String, _ faults: inout [PolicyFault]) {
        guard !range.contains(value) else { return }
        faults.append(
            PolicyFault(
                path: path, "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(value)"))
    }

    private func checkDuration(_ value: Int64, at path: String, _ faults: inout [PolicyFault]) {
        guard !Limits.policyDurationMilliseconds.contains(value) else { return }
        faults.append(PolicyFault(path: path, "expected a duration from 0 to 3653d, found \(value)ms"))
    }

    private func checkTypes(_ faults: inout [PolicyFault]) {
        if types.count > Limits.policyTypes {
            faults.append(
                PolicyFault(path: "types", "expected at most \(Limits.policyTypes) types, found \(types.count)"))
        }
        var owners: [String: String] = [:]
        for type in types {
            let path = "types.\(type.name)"
            var name = type.name
            if !name.withUTF8({ Name.isPlain(UnsafeRawBufferPointer($0), limit: Limits.typeBytes) }) {
                faults.append(
                    PolicyFault(
                        path: path,
                        "expected a name of 1 to \(Limits.typeBytes) letters, digits, '.', '-' or '_', found '\(type.name)'"
                    ))
            }
            if let priority = type.priority { check(priority, in: Limits.priority, at: "\(path).priority", &faults) }
            if let delay = type.maxDelayMilliseconds { checkDuration(delay, at: "\(path).maxDelay", &faults) }
            for (index, prefix) in type.prefixes.enumerated() {
                checkPrefix(prefix, of: type.name, at: "\(path).prefix[\(index)]", &owners, &faults)
            }
        }
    }

    /// A prefix is not empty, can begin an id, and belongs to one type.
    private func checkPrefix(
        _ prefix: String, of type: String, at path: String, _ owners: inout [String: String],
        _ faults: inout [PolicyFault]
    ) {
        guard !prefix.isEmpty, prefix.utf8.count <= Limits.idBytes else {
            faults.append(
                PolicyFault(
                    path: path, "expected a prefix of 1 to \(Limits.idBytes) bytes, found \(prefix.utf8.count)"))
            return
        }
        if let owner = owners[prefix] {
            faults.append(PolicyFault(path: path, "the prefix '\(prefix)' belongs to the type '\(owner)' already"))
        }
        owners[prefix] = type
    }
}
