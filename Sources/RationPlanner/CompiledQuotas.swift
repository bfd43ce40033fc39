import RationModel

/// A policy's quotas by type: a guarantee and a ceiling for each named type, and one for all others together
/// (semantics.md section 4.3).
struct CompiledQuotas: Sendable {
    struct Entry: Sendable {
        /// The policy's key: a type's name or `*`.
        var key: String
        var minimum: SlotShare?
        var maximum: SlotShare?
    }

    /// In the order in which guarantees are met: by (priority, name) of their types, the one for all others last.
    let entries: [Entry]
    /// The places of those that guarantee something.
    let guarantees: [Int]
    /// By type, the unnamed one last: its entry; -1 for a type without a quota.
    private let places: [Int16]

    init(_ quotas: [Quota], types: PolicyTypes) {
        let named = quotas.filter { $0.type != Quota.others }.map { (quota: $0, type: types.index(ofType: $0.type)) }
            .sorted { (types.priority($0.type), $0.type) < (types.priority($1.type), $1.type) }
        let others = quotas.filter { $0.type == Quota.others }
        entries = (named.map(\.quota) + others).map { Entry(key: $0.type, minimum: $0.minimum, maximum: $0.maximum) }
        let entries = entries
        guarantees = entries.indices.filter { entries[$0].minimum != nil }
        let otherPlace = Int16(others.isEmpty ? -1 : named.count)
        var places = [Int16](repeating: otherPlace, count: types.count + 1)
        for (place, entry) in named.enumerated() { places[Int(entry.type)] = Int16(truncatingIfNeeded: place) }
        self.places = places
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The entry of a type; -1 for one without a quota.
    @inline(__always)
    func place(of type: TypeIndex) -> Int {
        Int(places[min(Int(type), places.count - 1)])
    }
}
