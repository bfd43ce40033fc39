/// The wall clock of one time zone: the offset from UTC at every instant, from the tz database (RFC 9636).
///
/// Wall times are milliseconds since 1970-01-01T00:00:00 as the zone's clocks show it. Before the year 0 and after 9999 the
/// offset is that of the nearest instant of those years.
public final class ZoneTable: Sendable {
    /// An instant from which on the clocks show another time.
    public struct Transition: Hashable, Sendable {
        public var start: Instant
        /// Milliseconds east of UTC from then on.
        public var offsetMilliseconds: Int64

        public init(start: Instant, offsetMilliseconds: Int64) {
            (self.start, self.offsetMilliseconds) = (start, offsetMilliseconds)
        }
    }

    /// No zone is further from UTC than this: 26 hours, more than RFC 9636 (section 3.2) advises.
    public static let furthestMilliseconds: Int64 = 26 * 3_600_000

    /// The name in the tz database.
    public let name: String

    private let transitions: ZoneTransitions

    /// What holds after the last of `transitions`, if it says so.
    private let rule: ZoneRule?

    /// A zone as a file of the tz database gives it.
    /// - Parameters:
    ///   - offsetMilliseconds: before the first transition, east of UTC.
    ///   - transitions: ascending. Those that change no offset are left out; those outside the years 0 to 9999 only count
    ///     for the first offset. All offsets are within `furthestMilliseconds`.
    ///   - rule: holds after the last transition, and always when there is none.
    public init(name: String, offsetMilliseconds: Int64, transitions: [Transition] = [], rule: ZoneRule? = nil) {
        self.name = name
        let first = transitions.isEmpty ? rule?.offset(at: Instant.writable.lowerBound.milliseconds) : nil
        let all = ZoneTransitions.completed(transitions, by: rule)
        self.transitions = ZoneTransitions(offsetMilliseconds: first ?? offsetMilliseconds, all)
        self.rule = rule?.daylight == nil ? nil : rule
    }

    /// A zone whose clocks show what another's show, under a name of its own: a link of the tz database.
    public init(name: String, sameAs zone: ZoneTable) {
        self.name = name
        (transitions, rule) = (zone.transitions, zone.rule)
    }

    public static let utc = ZoneTable(name: "UTC", offsetMilliseconds: 0)

    /// Milliseconds east of UTC.
    /// - Complexity: a few nanoseconds up to the year 2100, then a rule's arithmetic; no allocation.
    public func offset(at instant: Instant) -> Int64 {
        let milliseconds = instant.clampedToWritable
        let index = transitions.count(through: milliseconds)
        if index == transitions.count, let rule { return rule.offset(at: milliseconds) }
        return transitions.offset(after: index)
    }

    /// The first instant after `instant` at which the offset changes; nil when it never does again.
    public func nextTransition(after instant: Instant) -> Instant? {
        let milliseconds = instant.clampedToWritable
        let index = transitions.count(through: milliseconds)
        if index < transitions.count { return Instant(milliseconds: transitions.start(index)) }
        guard let next = rule?.nextTransition(after: milliseconds), next <= Instant.writable.upperBound.milliseconds
        else { return nil }
        return Instant(milliseconds: next)
    }

    /// The instant at which the clocks show a wall time: the first of two; inside a gap, the wall time read with the
    /// offset before it (RFC 5545 section 3.3.5).
    public func instant(wall: Int64) -> Instant {
        // Whatever ended before this was on the wall before `wall`.
        let start = Instant(milliseconds: wall).advanced(by: -Self.furthestMilliseconds).clampedToWritable
        var index = transitions.count(through: start)
        while index < transitions.count {
            let (before, after) = (transitions.offset(after: index), transitions.offset(after: index + 1))
            // Below: still before the transition, or in the gap that it leaves.
            if wall < transitions.start(index) + max(before, after) {
                return Instant(milliseconds: wall).advanced(by: -before)
            }
            index += 1
        }
        guard rule != nil else { return Instant(milliseconds: wall).advanced(by: -transitions.offset(after: index)) }
        return instantByRule(wall: wall, after: start)
    }

    /// The same beyond the listed transitions.
    private func instantByRule(wall: Int64, after start: Int64) -> Instant {
        var instant = Instant(milliseconds: start)
        var before = offset(at: instant)
        while let transition = nextTransition(after: instant) {
            let after = offset(at: transition)
            if wall < transition.milliseconds + max(before, after) { break }
            (instant, before) = (transition, after)
        }
        return Instant(milliseconds: wall).advanced(by: -before)
    }
}

extension Instant {
    /// Milliseconds since 1970-01-01T00:00:00Z of this instant, or of the nearest one of the years 0 to 9999.
    var clampedToWritable: Int64 {
        min(max(milliseconds, Self.writable.lowerBound.milliseconds), Self.writable.upperBound.milliseconds)
    }
}
