public import RationModel
public import RationPlanner

/// A cap of a policy: at most so many notifications in any stretch that is shorter than its period (semantics.md section
/// 3, "Caps"). Two that stand exactly a period apart do not share one.
public struct FrequencyCap: Rule {
    public let path: String
    public let counting: RuleCounting
    private let cap: Cap
    /// The types that it binds; nil: all.
    private let types: Set<TypeIndex>?

    /// - Parameters:
    ///   - path: its place in the policy, `caps[1]`.
    ///   - types: the places of the policy's types.
    public init(_ cap: Cap, path: String, types: PolicyTypes) {
        self.cap = cap
        self.path = path
        self.types = cap.types.map { Set($0.map { types.index(ofType: $0) }) }
        counting = self.types.map { .types($0) } ?? .all
    }

    public var reachMilliseconds: Int64 { cap.perMilliseconds }

    public var isSymmetric: Bool { true }

    public func binds(type: TypeIndex, level: InterruptionLevel) -> Bool {
        !cap.exempt.contains(level) && (types?.contains(type) ?? true)
    }

    public func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling {
        let per = cap.perMilliseconds
        var date = instant
        // The dates near enough to share a stretch: those in (date − per, date + per).
        var first = dates.firstIndex(after: date.advanced(by: -per))
        var end = first
        while true {
            let behind = date.advanced(by: per)
            while end < dates.count, dates[end].date < behind { end += 1 }
            guard let crowd = lastFullStretch(in: first..<end, of: dates) else {
                return date == instant ? .allowed : .later(date)
            }
            if cap.overflow == .drop { return .evicted(.cap) }
            // It shares no stretch with the first of the crowd once it stands a period after it.
            date = dates[crowd].date.advanced(by: per)
            first = crowd + 1
            while first < end, dates[first].date <= date.advanced(by: -per) { first += 1 }
        }
    }

    /// Where the last stretch begins that holds as many dates as the cap allows, and so has no room for one more.
    @inline(__always)
    private func lastFullStretch(in near: Range<Int>, of dates: borrowing FixedDates) -> Int? {
        var start = near.upperBound - cap.limit
        while start >= near.lowerBound {
            let span = dates[start + cap.limit - 1].date.milliseconds - dates[start].date.milliseconds
            if span < cap.perMilliseconds { return start }
            start -= 1
        }
        return nil
    }

    public func reason(_ notification: RuledNotification, at instant: Instant, in zone: ZoneTable) -> String {
        "\(cap.limit) in less than \(WrittenDuration.text(cap.perMilliseconds))"
            + (cap.overflow == .drop ? ", those beyond are dropped" : "")
    }
}

/// The caps of a policy.
public struct FrequencyCaps: RuleSource {
    public static let name = "frequencyCap"

    public init() {}

    public func rules(of policy: Policy, types: PolicyTypes, device: DeviceSettings?) -> [any Rule] {
        policy.caps.enumerated().map { FrequencyCap($0.element, path: "caps[\($0.offset)]", types: types) }
    }
}
