import RationModel
import TestSupport

/// Policies made of sound pieces, and the texts that say the same.
struct PolicyGenerator {
    var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &random) }
    mutating func chance() -> Bool { .random(using: &random) }

    /// With the ends more often than others.
    mutating func edge(_ range: ClosedRange<Int>) -> Int {
        [range.lowerBound, range.upperBound, number(range), number(range)].randomElement(using: &random) ?? 0
    }

    mutating func names() -> [String]? {
        guard chance() else { return nil }
        let names = ["habit", "entry", "A.b-c_9", "unknown", String(repeating: "n", count: 64)]
        return names.filter { _ in chance() }
    }

    mutating func levels(_ standard: LevelSet) -> LevelSet {
        chance() ? standard : LevelSet(rawValue: UInt8(number(0...15)))
    }

    mutating func window() -> QuietWindow {
        // Below a tenth of a week, so that a few of them always leave a free minute.
        let from = edge(0...1439)
        var window = QuietWindow(from: from, to: (from + number(1...140)) % 1440)
        if window.to == 0, chance() { window.to = 1440 }
        if chance() { window.days = WeekdaySet(rawValue: UInt8(number(0...127))) }
        window.types = names()
        window.exempt = levels(window.exempt)
        return window
    }

    mutating func cap() -> Cap {
        let (count, unit) = (
            edge(1...3653), [1, 1000, 60_000, 3_600_000, 86_400_000].randomElement(using: &random) ?? 1
        )
        var cap = Cap(limit: edge(1...256), perMilliseconds: Int64(count * unit))
        if chance() { cap.overflow = .drop }
        cap.types = names()
        cap.exempt = levels(cap.exempt)
        return cap
    }

    mutating func quotas(of slots: Int) -> [Quota] {
        var quotas: [Quota] = []
        var rest = slots
        for name in ["*", "habit", "unknown", "z"] where chance() {
            var quota = Quota(type: name)
            let least = number(0...rest)
            if chance() {
                quota.minimum = .slots(least)
                rest -= least
            } else if chance() {
                let percent = number(0...rest * 100 / max(slots, 1))
                quota.minimum = .percent(percent)
                rest -= slots * percent / 100
            }
            if chance() { quota.maximum = quota.minimum ?? .percent(edge(0...100)) }
            if chance(), quota.minimum == nil { quota.maximum = .slots(edge(0...10_000)) }
            quotas.append(quota)
        }
        return quotas
    }

    mutating func policy() -> Policy {
        var policy = Policy()
        policy.slots = edge(0...10_000)
        policy.setQuotas(quotas(of: policy.slots))
        policy.quietHours = (0..<number(0...9)).map { _ in window() }
        policy.caps = (0..<edge(0...32)).map { _ in cap() }
        return policy
    }
}

/// A policy as JSON or as YAML; what is a default is left out or written.
struct PolicyText {
    var isYAML: Bool
    var leavesDefaultsOut: Bool

    func text(_ policy: Policy) -> String {
        let windows = policy.quietHours.map(window)
        let quotas = policy.quotas.map { key("\"\($0.type)\"") + quota($0) }
        let members = [
            key("slots") + "\(policy.slots)", key("quotas") + "{" + quotas.joined(separator: ", ") + "}",
            key("quietHours") + list(windows, isBlock: true), key("caps") + list(policy.caps.map(cap), isBlock: true),
        ]
        return isYAML ? members.joined(separator: "\n") : "{" + members.joined(separator: ",\n") + "}"
    }

    private func key(_ name: String) -> String {
        isYAML ? "\(name): " : name.hasPrefix("\"") ? "\(name):" : "\"\(name)\":"
    }

    private func word(_ text: String) -> String { isYAML ? text : "\"\(text)\"" }

    private func list(_ items: [String], isBlock: Bool = false) -> String {
        guard isBlock, isYAML, !items.isEmpty else { return "[" + items.joined(separator: ", ") + "]" }
        return items.map { "\n  - \($0)" }.joined()
    }

    private func mapping(_ members: [(name: String, value: String?)]) -> String {
        let written = members.compactMap { member in member.value.map { key(member.name) + $0 } }
        return "{" + written.joined(separator: ", ") + "}"
    }

    private func time(_ minutes: Int) -> String {
        let two = { (number: Int) in number < 10 ? "0\(number)" : "\(number)" }
        return word("\(two(minutes / 60)):\(two(minutes % 60))")
    }

    private func days(_ days: WeekdaySet) -> String? {
        guard days != .all || !leavesDefaultsOut else { return nil }
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return list(names.indices.filter { days.rawValue & 1 << UInt8($0) != 0 }.map { word(names[$0]) })
    }

    private func levels(_ levels: LevelSet, _ standard: LevelSet) -> String? {
        guard levels != standard || !leavesDefaultsOut else { return nil }
        return list(InterruptionLevel.allCases.filter { levels.contains($0) }.map { word("\($0)") })
    }

    private func names(_ names: [String]?) -> String? {
        names.map { list($0.map(word)) } ?? (leavesDefaultsOut ? nil : "null")
    }

    private func window(_ window: QuietWindow) -> String {
        mapping([
            ("from", time(window.from)), ("to", time(window.to)), ("days", days(window.days)),
            ("types", names(window.types)),
            ("exempt", levels(window.exempt, LevelSet(.timeSensitive, .critical))),
        ])
    }

    private func cap(_ cap: Cap) -> String {
        let overflow = cap.overflow == .move && leavesDefaultsOut ? nil : word(cap.overflow.rawValue)
        return mapping([
            ("limit", "\(cap.limit)"), ("per", word(duration(cap.perMilliseconds))), ("types", names(cap.types)),
            ("overflow", overflow), ("exempt", levels(cap.exempt, LevelSet(.critical))),
        ])
    }

    private func duration(_ milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")]
        let unit = units.first { milliseconds % $0.0 == 0 } ?? (1, "ms")
        return "\(milliseconds / unit.0)\(unit.1)"
    }

    private func quota(_ quota: Quota) -> String {
        let share = { (share: SlotShare?) -> String? in
            switch share {
            case nil: leavesDefaultsOut ? nil : "null"
            case .slots(let count): "\(count)"
            case .percent(let percent): word("\(percent)%")
            }
        }
        return mapping([("min", share(quota.minimum)), ("max", share(quota.maximum))])
    }
}
