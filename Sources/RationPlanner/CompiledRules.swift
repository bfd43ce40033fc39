import RationModel

/// Rules with what the planner looks up for each notification: which of them bind it, and in which lists of fixed dates
/// it counts.
final class CompiledRules: Sendable {
    let rules: [any Rule]
    /// By rule: the list of fixed dates that it looks at; -1 for none. Rules that look at the same dates share one.
    let lists: [Int]
    let listCount: Int
    /// By list: the rule that says what is kept of a date's owner; -1 where nothing is.
    let markers: [Int]
    /// By `type · 4 + level`, the unnamed type last: the rules that bind, a bit each.
    private let bindings: [UInt64]
    /// By type, the unnamed one last: the lists in which it counts, a bit each.
    private let countings: [UInt64]
    /// Milliseconds: fixed dates so far from an instant matter to no rule there.
    let reachMilliseconds: Int64
    /// Whether they are a device's own.
    let isOfDevice: Bool
    /// Whether all rules that look at fixed dates are symmetric.
    let isSymmetric: Bool

    /// So many bits has a set of rules.
    static let limit = 64

    /// - Parameter types: how many types the policy names.
    init(_ rules: [any Rule], types: Int, isOfDevice: Bool) {
        self.isOfDevice = isOfDevice
        precondition(rules.count <= Self.limit, "\(rules.count) rules, \(Self.limit) at most")
        self.rules = rules
        var kinds: [RuleCounting] = []
        var owners: [Int] = []
        var lists: [Int] = []
        for (index, rule) in rules.enumerated() {
            // Rules that keep marks have a list of their own.
            if rule.counting == .none {
                lists.append(-1)
            } else if rule.isSymmetric, let known = kinds.firstIndex(of: rule.counting),
                rules[owners[known]].isSymmetric
            {
                lists.append(known)
            } else {
                lists.append(kinds.count)
                kinds.append(rule.counting)
                owners.append(index)
            }
        }
        self.lists = lists
        markers = owners.map { rules[$0].isSymmetric ? -1 : $0 }
        listCount = kinds.count
        bindings = Self.bindings(rules, types: types)
        countings = Self.indices(types).map { type in
            kinds.enumerated().reduce(0) { $0 | ($1.element.contains(type) ? 1 << UInt64($1.offset) : 0) }
        }
        reachMilliseconds = rules.map(\.reachMilliseconds).max() ?? 0
        isSymmetric = rules.allSatisfy { $0.counting == .none || $0.isSymmetric }
    }

    private static func indices(_ types: Int) -> [TypeIndex] {
        (0..<types).map { TypeIndex(truncatingIfNeeded: $0) } + [PolicyTypes.unnamed]
    }

    private static func bindings(_ rules: [any Rule], types: Int) -> [UInt64] {
        indices(types).flatMap { type in
            InterruptionLevel.allCases.map { level in
                rules.enumerated().reduce(0) {
                    $0 | ($1.element.binds(type: type, level: level) ? 1 << UInt64($1.offset) : 0)
                }
            }
        }
    }

    var isEmpty: Bool { rules.isEmpty }

    /// The rules that bind a type and level, a bit each.
    @inline(__always)
    func bindings(type: TypeIndex, level: InterruptionLevel) -> UInt64 {
        bindings[min(Int(type), countings.count - 1) * 4 + Int(level.rawValue)]
    }

    /// The lists in which a type counts, a bit each.
    @inline(__always)
    func countings(type: TypeIndex) -> UInt64 {
        countings[min(Int(type), countings.count - 1)]
    }
}

extension RuleCounting {
    fileprivate func contains(_ type: TypeIndex) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .types(let types): types.contains(type)
        }
    }
}
