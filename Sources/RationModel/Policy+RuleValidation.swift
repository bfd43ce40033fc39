/// Caps and quotas (semantics.md section 3).
extension Policy {
    func checkCaps(_ faults: inout [PolicyFault]) {
        faults.checkCount(caps.count, atMost: Limits.caps, of: "caps", at: "caps")
        for (index, cap) in caps.prefix(Limits.caps).enumerated() {
            let path = "caps[\(index)]"
            faults.check(cap.limit, in: Limits.capLimit, at: "\(path).limit")
            if !Limits.capPerMilliseconds.contains(cap.perMilliseconds) {
                faults.append(
                    PolicyFault(
                        path: "\(path).per", "expected a duration from 1ms to 3653d, found \(cap.perMilliseconds)ms"))
            }
            faults.checkNames(cap.types, at: "\(path).types")
        }
    }

    func checkQuotas(_ faults: inout [PolicyFault]) {
        faults.checkCount(quotas.count, atMost: Limits.policyQuotas, of: "quotas", at: "quotas")
        var lastType: String?
        for quota in quotas {
            let path = "quotas.\(quota.type)"
            if quota.type != Quota.others { faults.checkName(quota.type, at: path) }
            // They are sorted by type.
            if let lastType, lastType.utf8.elementsEqual(quota.type.utf8) {
                faults.append(PolicyFault(path: path, "the type '\(quota.type.shortened)' is named twice"))
            }
            lastType = quota.type
            checkShare(quota.minimum, at: "\(path).min", &faults)
            checkShare(quota.maximum, at: "\(path).max", &faults)
            checkEnds(of: quota, at: "\(path).min", &faults)
        }
        checkMinimums(&faults)
    }

    private func checkShare(_ share: SlotShare?, at path: String, _ faults: inout [PolicyFault]) {
        guard let share, !share.isInRange else { return }
        let (slots, percent) = (Limits.slots, Limits.percent)
        faults.append(
            PolicyFault(
                path: path,
                "expected a whole number from \(slots.lowerBound) to \(slots.upperBound) or a percentage from "
                    + "\(percent.lowerBound)% to \(percent.upperBound)%, found \(share.text)"))
    }

    /// A minimum is not over its maximum: of these slots, or as two percentages.
    private func checkEnds(of quota: Quota, at path: String, _ faults: inout [PolicyFault]) {
        guard let minimum = quota.minimum, let maximum = quota.maximum, minimum.isInRange, maximum.isInRange else {
            return
        }
        if case .percent(let least) = minimum, case .percent(let most) = maximum {
            guard least > most else { return }
        } else {
            guard Limits.slots.contains(slots), minimum.count(of: slots) > maximum.count(of: slots) else { return }
        }
        faults.append(
            PolicyFault(path: path, "expected at most the type's max, \(maximum.text), found \(minimum.text)"))
    }

    private func checkMinimums(_ faults: inout [PolicyFault]) {
        guard Limits.slots.contains(slots) else { return }
        let minimums = quotas.compactMap(\.minimum).filter(\.isInRange)
        let sum = minimums.reduce(0) { $0 + $1.count(of: slots) }
        guard sum > slots else { return }
        faults.append(
            PolicyFault(
                path: "quotas", "expected minimums of at most the \(slots) slots together, found \(sum)"))
    }
}

extension SlotShare {
    fileprivate var isInRange: Bool {
        switch self {
        case .slots(let count): Limits.slots.contains(count)
        case .percent(let percent): Limits.percent.contains(percent)
        }
    }
}
