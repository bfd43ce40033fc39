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
    /// - Returns: all faults, in the order in which semantics.md shows the policy's keys; none for a policy that can be used.
    public func faults(orders: [String]) -> [PolicyFault] {
        var faults: [PolicyFault] = []
        check(slots, in: Limits.slots, at: "slots", &faults)
        if !orders.contains(order) {
            faults.append(
                PolicyFault(path: "order", "expected one of \(orders.joined(separator: ", ")), found '\(order)'"))
        }
        check(queueLimit, in: Limits.queueLimit, at: "queueLimit", &faults)
        checkDuration(graceMilliseconds, at: "grace", &faults)
        if let maxDelayMilliseconds { checkDuration(maxDelayMilliseconds, at: "maxDelay", &faults) }
        check(unknownPriority, in: Limits.priority, at: "unknownPriority", &faults)
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
        // By its bytes: two texts that Unicode calls equivalent are two prefixes.
        var owners: [[UInt8]: String] = [:]
        var lastName: String?
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
            // They are sorted by name.
            if let lastName, lastName.utf8.elementsEqual(type.name.utf8) {
                faults.append(PolicyFault(path: path, "the type '\(type.name)' is named twice"))
            }
            lastName = type.name
            if let priority = type.priority { check(priority, in: Limits.priority, at: "\(path).priority", &faults) }
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
