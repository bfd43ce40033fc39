public import RationModel

/// When a calendar trigger fires (semantics.md section 2).
extension CalendarPattern {
    /// The first instant strictly after `instant` at which the zone's clocks match.
    ///
    /// With an hour or a date, the pattern names at most one wall time a day; one that daylight-saving time skips is read
    /// with the offset before the gap, one that comes twice is its first. Without them it follows the real time line: all
    /// that the clocks show, as often as they show it.
    /// - Parameters:
    ///   - instant: before the year 0 nothing is looked for.
    ///   - limit: the last instant that counts, at most the end of 9999.
    /// - Returns: nil when nothing up to and including `limit` matches. A pattern with a `fault()` has no meaning here.
    /// - Complexity: some tens of nanoseconds for daily and weekly patterns; at most a step for each month up to `limit`.
    public func next(after instant: Instant, in zone: ZoneTable, until limit: Instant) -> Instant? {
        let instant = max(instant, Instant.writable.lowerBound)
        let limit = min(limit, Instant.writable.upperBound)
        guard instant < limit else { return nil }
        guard hour >= 0 || namesDate else { return nextOnTimeLine(after: instant, in: zone, until: limit) }
        // No wall time beyond this comes before the limit.
        let last = limit.milliseconds + ZoneTable.furthestMilliseconds
        let wall = nextWall(after: instant.milliseconds + zone.offset(at: instant), until: last)
        let match = wall.map { zone.instant(wall: $0) } ?? limit
        // A wall time can be out of its order only where the offset changes, or has changed so shortly before that the gap
        // or the repeated time reaches up to here.
        let change = zone.nextTransition(after: instant.advanced(by: -Self.reach))
        if let change, change <= max(match, instant) {
            return nextAroundTransition(after: instant, in: zone, until: limit)
        }
        return wall == nil || match > limit ? nil : match
    }

    /// How far apart the same wall time can lie in two offsets.
    private static var reach: Int64 { 2 * ZoneTable.furthestMilliseconds }

    /// The earliest match, of wall times that may come in another order than their instants.
    private func nextAroundTransition(after instant: Instant, in zone: ZoneTable, until limit: Instant) -> Instant? {
        var best: Instant?
        var wall = instant.milliseconds - ZoneTable.furthestMilliseconds
        while true {
            // What shows a later wall than this comes after what has been found, or after the limit.
            let last = (best ?? limit).milliseconds + ZoneTable.furthestMilliseconds
            guard let next = nextWall(after: wall, until: last) else { return best }
            let match = zone.instant(wall: next)
            if match > instant, match <= best ?? limit { best = match }
            wall = next
        }
    }

    /// The first matching wall time after `wall`; nil when it would be after `last`.
    private func nextWall(after wall: Int64, until last: Int64) -> Int64? {
        let (today, time) = Instant.split(wall: wall)
        let timeOfDay = (Int64(max(hour, 0)) * 3600 + Int64(max(minute, 0)) * 60 + Int64(max(second, 0))) * 1000
        let first = timeOfDay > time ? today : today + 1
        guard let day = matchingDay(from: first, through: Instant.split(wall: last).day) else { return nil }
        let match = day * Instant.dayMilliseconds + timeOfDay
        return match <= last ? match : nil
    }

    /// The first instant at which the clocks show a second, and a minute if one is named.
    private func nextOnTimeLine(after instant: Instant, in zone: ZoneTable, until limit: Instant) -> Instant? {
        let (period, phase): (Int64, Int64) =
            minute >= 0
            ? (3_600_000, Int64(minute) * 60_000 + Int64(max(second, 0)) * 1000) : (60_000, Int64(second) * 1000)
        var earliest = instant.milliseconds + 1
        while earliest <= limit.milliseconds {
            let offset = zone.offset(at: Instant(milliseconds: earliest))
            let past = earliest + offset - phase
            // Both terms of the remainder are positive once it is taken into 0 ..< period.
            let sincePhase = ((past % period) + period) % period
            let match = Instant(milliseconds: sincePhase == 0 ? earliest : earliest + period - sincePhase)
            let change = zone.nextTransition(after: Instant(milliseconds: earliest))
            guard let change, change <= match else { return match <= limit ? match : nil }
            earliest = change.milliseconds
        }
        return nil
    }
}
