extension Policy {
    /// What a policy may say and is worth a word: a moving cap over more than a day for something without a `maxDelay`,
    /// which it could move by days without end (semantics.md section 3).
    ///
    /// A type has a `maxDelay` when it or the policy names one; one that keeps its time needs none.
    /// - Returns: one warning a cap, in their order.
    public func warnings() -> [PolicyFault] {
        guard maxDelayMilliseconds == nil else { return [] }
        let limited = Set(types.lazy.filter { $0.keepsTime || $0.maxDelayMilliseconds != nil }.map(\.name))
        return caps.enumerated().compactMap { index, cap in
            guard cap.overflow == .move, cap.perMilliseconds > Self.dayMilliseconds else { return nil }
            // A cap that names no types also binds those that the policy does not name, which have no limit of their own.
            let unlimited = cap.types.map { $0.first { !limited.contains($0) } } ?? "any type"
            guard let unlimited else { return nil }
            let bound = cap.types == nil ? "any type" : "the type '\(unlimited.shortened)'"
            return PolicyFault(
                path: "caps[\(index)]",
                "it moves notifications of \(bound) by more than a day at a time, and no 'maxDelay' ends that")
        }
    }

    private static let dayMilliseconds: Int64 = 86_400_000
}
