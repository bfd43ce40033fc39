/// The listed transitions of a zone, laid out for lookup.
struct ZoneTransitions: Sendable {
    /// Ascending, milliseconds since 1970-01-01T00:00:00Z.
    private let starts: [Int64]

    /// Milliseconds east of UTC: one before the first start, then one from each start on.
    private let offsets: [Int32]

    /// For each stretch of 2^35 ms (398 days) since the first start, how many starts lie at or before its beginning: a
    /// lookup begins there, and walks over the few transitions of a year.
    private let guesses: [Int32]

    private static let stretchBits = 35

    /// A rule's transitions are listed up to here, so that lookups of any date that can be planned need no arithmetic.
    private static let listedYear = 2100

    /// - Parameter transitions: ascending.
    init(offsetMilliseconds: Int64, _ transitions: [ZoneTable.Transition]) {
        var starts: [Int64] = []
        var offsets = [Int32(clamping: offsetMilliseconds)]
        for transition in transitions where transition.start <= Instant.writable.upperBound {
            let offset = Int32(clamping: transition.offsetMilliseconds)
            guard transition.start > Instant.writable.lowerBound else {
                offsets = [offset]
                continue
            }
            guard offset != offsets[offsets.count - 1] else { continue }
            precondition(starts.last.map { $0 < transition.start.milliseconds } ?? true, "transitions not ascending")
            starts.append(transition.start.milliseconds)
            offsets.append(offset)
        }
        (self.starts, self.offsets, guesses) = (starts, offsets, Self.guesses(starts))
    }

    /// The transitions with those that the rule adds after the last one, or after the year 0 when there is none.
    static func completed(_ transitions: [ZoneTable.Transition], by rule: ZoneRule?) -> [ZoneTable.Transition] {
        guard let rule else { return transitions }
        var all = transitions
        let end = Instant.days(year: listedYear, month: 1, day: 1) * Instant.dayMilliseconds
        var last = max(all.last?.start ?? .distantPast, Instant.writable.lowerBound).milliseconds
        while last < end, let next = rule.nextTransition(after: last) {
            all.append(
                ZoneTable.Transition(start: Instant(milliseconds: next), offsetMilliseconds: rule.offset(at: next)))
            last = next
        }
        return all
    }

    private static func guesses(_ starts: [Int64]) -> [Int32] {
        guard let first = starts.first, let last = starts.last else { return [] }
        var guesses: [Int32] = []
        var index = 0
        for stretch in 0...(last - first) >> stretchBits {
            while index < starts.count, starts[index] <= first + stretch << stretchBits { index += 1 }
            guesses.append(Int32(truncatingIfNeeded: index))
        }
        return guesses
    }

    var count: Int { starts.count }

    /// How many transitions lie at or before an instant of the years 0 to 9999.
    func count(through milliseconds: Int64) -> Int {
        guard let first = starts.first, milliseconds >= first else { return 0 }
        let stretch = Int(truncatingIfNeeded: (milliseconds - first) >> Self.stretchBits)
        guard stretch < guesses.count else { return starts.count }
        var index = Int(guesses[stretch])
        while index < starts.count, starts[index] <= milliseconds { index += 1 }
        return index
    }

    /// The offset once `count` transitions are past.
    func offset(after count: Int) -> Int64 {
        Int64(offsets[count])
    }

    func start(_ index: Int) -> Int64 {
        starts[index]
    }
}
