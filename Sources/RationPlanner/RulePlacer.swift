import RationModel

/// Carries an instant through a recipient's rules until each allows it, beside the fixed dates (semantics.md section 4).
struct RulePlacer: ~Copyable {
    private var lists: UnsafeMutablePointer<FixedDates>
    private var capacity = 0
    private var used = 0
    /// By kind of notification, the last stretch in which nothing was allowed; more fixed dates never allow more.
    private var forbidden: ContiguousArray<Forbidden> = []
    /// The rules that were set aside in this batch, by path.
    private(set) var setAside: [String] = []

    /// Whether moves are noted in `trace`.
    var isTracing = false {
        didSet { trace.removeAll() }
    }
    private(set) var trace: [Step] = []

    /// A move by a rule.
    struct Step {
        var rule: Int
        var from: Instant
        var to: Instant
    }

    private struct Forbidden {
        var kind: UInt32
        var from: Instant
        var to: Instant
        var isCrowded: Bool
    }

    /// A rule that moves an instant so often in a row by itself does not settle; nor does one of several that together move
    /// it so often for each rule and fixed date. Quiet hours and caps may take turns often, but each move of a cap leaves a
    /// date behind.
    private static let roundLimit = 64

    init() {
        lists = .allocate(capacity: 1)
    }

    deinit {
        lists.deinitialize(count: capacity)
        lists.deallocate()
    }

    /// Forgets all fixed dates.
    mutating func begin(_ rules: CompiledRules) {
        if rules.listCount > capacity { grow(to: rules.listCount) }
        used = rules.listCount
        for index in 0..<used { lists[index].removeAll() }
        forbidden.removeAll(keepingCapacity: true)
    }

    private mutating func grow(to count: Int) {
        let grown = UnsafeMutablePointer<FixedDates>.allocate(capacity: count)
        grown.moveInitialize(from: lists, count: capacity)
        for index in capacity..<count { (grown + index).initialize(to: FixedDates()) }
        lists.deallocate()
        lists = grown
        capacity = count
    }

    /// Adds a fixed date to the lists in which its owner counts.
    @inline(__always)
    mutating func fix(_ date: Instant, of notification: RuledNotification, _ rules: CompiledRules) {
        var countings = rules.countings(type: notification.type)
        while countings != 0 {
            let list = countings.trailingZeroBitCount
            countings &= countings &- 1
            let marker = rules.markers[list]
            lists[list].insert(date, mark: marker < 0 ? 0 : rules.rules[marker].mark(of: notification))
        }
    }

    /// Adds a fixed date of which only the type matters: no rule keeps marks.
    @inline(__always)
    mutating func fix(_ date: Instant, type: TypeIndex, _ rules: CompiledRules) {
        var countings = rules.countings(type: type)
        while countings != 0 {
            lists[countings.trailingZeroBitCount].insert(date, mark: 0)
            countings &= countings &- 1
        }
    }

    /// Where the rules bring a notification, and whether it must go there.
    struct Settled {
        var date: Instant
        /// Why it must go; nil if it may stay.
        var eviction: EventReason?
        /// Whether a rule that looks at fixed dates has moved it.
        var isCrowded = false
    }

    /// The earliest instant at or after `start` that all rules allow which bind a notification.
    /// - Parameters:
    ///   - limit: an instant after it is as good as any other after it.
    ///   - isRemembered: whether what is found out here holds for the next of its kind: all dates that are fixed now stay
    ///     fixed.
    mutating func settle(
        _ notification: RuledNotification, from start: Instant, until limit: Instant, in zone: ZoneTable,
        _ rules: CompiledRules, isRemembered: Bool
    ) -> Settled {
        var settled = Settled(date: start)
        let bindings = rules.bindings(type: notification.type, level: notification.level)
        guard bindings != 0 else { return settled }
        let kind = UInt32(notification.type) << 2 | UInt32(notification.level.rawValue)
        // Notifications of one type and level are bound alike, but for those whose types the policy does not name.
        let isOneKind = notification.type != PolicyTypes.unnamed || !rules.isOfDevice
        let isRemembered = isRemembered && isOneKind && rules.isSymmetric && rules.listCount > 0
        let known = isRemembered ? forbidden.firstIndex { $0.kind == kind } : nil
        if let known, start >= forbidden[known].from, start < forbidden[known].to {
            settled.date = forbidden[known].to
            settled.isCrowded = forbidden[known].isCrowded
        }
        var active = bindings
        while let unsettled = carry(notification, active, until: limit, in: zone, rules, &settled) {
            // Set aside, it has moved nothing: the others place the notification from its start.
            setAside.append(rules.rules[unsettled].path)
            active &= ~(1 << UInt64(unsettled))
            settled = Settled(date: start)
            trace.removeAll()
        }
        if isRemembered, active == bindings, settled.date > start { remember(kind, at: known, from: start, settled) }
        return settled
    }

    private mutating func remember(_ kind: UInt32, at known: Int?, from start: Instant, _ settled: Settled) {
        var stretch = Forbidden(kind: kind, from: start, to: settled.date, isCrowded: settled.isCrowded)
        guard let known else {
            forbidden.append(stretch)
            return
        }
        if start >= forbidden[known].from, start < forbidden[known].to { stretch.from = forbidden[known].from }
        forbidden[known] = stretch
    }

    /// Asks the rules in turn until all that bind allow the same instant. Rules that never agree end at the limit.
    /// - Returns: a rule that does not settle; nil if all do.
    private mutating func carry(
        _ notification: RuledNotification, _ bindings: UInt64, until limit: Instant, in zone: ZoneTable,
        _ rules: CompiledRules, _ settled: inout Settled
    ) -> Int? {
        var asked = bindings
        var lastMover = -1
        var moves = 0
        var allMoves = 0
        while asked != 0 {
            let index = asked.trailingZeroBitCount
            asked &= asked &- 1
            switch ruling(index, on: notification, at: settled.date, in: zone, rules) {
            case .allowed: continue
            case .evicted(let reason): settled.eviction = settled.eviction ?? reason
            case .later(let later):
                moves = index == lastMover ? moves + 1 : 1
                lastMover = index
                allMoves += 1
                guard later > settled.date, moves <= Self.roundLimit, isEndInSight(after: allMoves, rules) else {
                    return index
                }
                if isTracing { trace.append(Step(rule: index, from: settled.date, to: later)) }
                settled.date = later
                settled.eviction = nil
                if rules.lists[index] >= 0 { settled.isCrowded = true }
                asked = later > limit ? 0 : bindings
            }
        }
        return nil
    }

    private func isEndInSight(after moves: Int, _ rules: CompiledRules) -> Bool {
        guard moves > Self.roundLimit else { return true }
        let dates = (0..<used).reduce(0) { $0 + lists[$1].count }
        return moves <= Self.roundLimit * (rules.rules.count + dates)
    }

    @inline(__always)
    private func ruling(
        _ index: Int, on notification: RuledNotification, at instant: Instant, in zone: ZoneTable,
        _ rules: CompiledRules
    ) -> Ruling {
        let list = rules.lists[index]
        if list >= 0 {
            return rules.rules[index].ruling(on: notification, at: instant, in: zone, beside: lists[list])
        }
        return rules.rules[index].ruling(on: notification, at: instant, in: zone, beside: nothing)
    }

    private let nothing = FixedDates()

    /// Whether all rules that bind a notification and settle allow an instant as it is.
    /// - Parameter limit: as far as rules are asked that do not agree.
    mutating func allows(
        _ notification: RuledNotification, at instant: Instant, until limit: Instant, in zone: ZoneTable,
        _ rules: CompiledRules
    ) -> Bool {
        let settled = settle(notification, from: instant, until: limit, in: zone, rules, isRemembered: false)
        return settled.date == instant && settled.eviction == nil
    }

    /// Whether a date, beside all fixed ones, is against no rule that counts it: then it disturbs no other.
    func isUndisturbing(
        _ notification: RuledNotification, at instant: Instant, in zone: ZoneTable, _ rules: CompiledRules
    ) -> Bool {
        let countings = rules.countings(type: notification.type)
        for index in rules.rules.indices where rules.lists[index] >= 0 {
            guard countings >> UInt64(rules.lists[index]) & 1 != 0 else { continue }
            guard ruling(index, on: notification, at: instant, in: zone, rules) == .allowed else { return false }
        }
        return true
    }

    /// The paths of the rules that were set aside since the last time, each once, in the order in which that happened.
    mutating func takeSetAside() -> [String] {
        guard !setAside.isEmpty else { return [] }
        var paths: [String] = []
        for path in setAside where !paths.contains(path) { paths.append(path) }
        setAside.removeAll()
        return paths
    }
}
