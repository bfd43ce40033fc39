import RationModel

/// The minutes of a week on a wall clock that are quiet, as merged stretches.
struct QuietWeek: Sendable {
    /// Minutes since Monday 00:00, [start, end), sorted, none touching the next; a stretch over the week's end is in two.
    private var stretches: [(start: Int32, end: Int32)] = []

    static let minutes: Int32 = 7 * 24 * 60
    private static let minuteMilliseconds: Int64 = 60_000
    private static let weekMilliseconds = Int64(minutes) * minuteMilliseconds
    /// 1970-01-01 was a Thursday.
    private static let epochOffset: Int64 = 3 * 86_400_000

    /// - Parameter windows: a window over midnight belongs to the day on which it starts.
    init(_ windows: [QuietWindow]) {
        var found: [(start: Int32, end: Int32)] = []
        for window in windows {
            for day in 0..<7 where window.days.rawValue >> UInt8(day) & 1 != 0 {
                let start = Int32(day * 1440 + window.from)
                let end = Int32(day * 1440 + window.to + (window.to <= window.from ? 1440 : 0))
                found.append((start, min(end, Self.minutes)))
                if end > Self.minutes { found.append((0, end - Self.minutes)) }
            }
        }
        found.sort { $0.start < $1.start }
        for stretch in found {
            if let last = stretches.last, stretch.start <= last.end {
                stretches[stretches.count - 1].end = max(last.end, stretch.end)
            } else {
                stretches.append(stretch)
            }
        }
    }

    /// The stretch in which a wall time lies or, if it is free, the next one; and how far the week has gone.
    @inline(__always)
    private func next(_ wall: Int64) -> (place: Int, ofWeek: Int64) {
        let shifted = wall &+ Self.epochOffset
        var ofWeek = shifted % Self.weekMilliseconds
        if ofWeek < 0 { ofWeek += Self.weekMilliseconds }
        let minute = Int32(truncatingIfNeeded: ofWeek / Self.minuteMilliseconds)
        var place = 0
        while place < stretches.count, stretches[place].end <= minute { place += 1 }
        return (place, ofWeek)
    }

    /// The first instant at or after one that is not quiet. Some minute of the week is free.
    func firstFree(from instant: Instant, in zone: ZoneTable) -> Instant {
        var instant = instant
        while true {
            let wall = instant.milliseconds &+ zone.offset(at: instant)
            let (place, ofWeek) = next(wall)
            guard place < stretches.count, Int64(stretches[place].start) * Self.minuteMilliseconds <= ofWeek else {
                return instant
            }
            let end = instant.advanced(by: Int64(stretches[place].end) * Self.minuteMilliseconds - ofWeek)
            // A change of the clocks before the stretch's end: what they show then decides.
            instant = min(end, zone.nextTransition(after: instant) ?? end)
        }
    }

    /// The first quiet instant at or after one, before a limit; the limit if there is none.
    func firstQuiet(from instant: Instant, until limit: Instant, in zone: ZoneTable) -> Instant {
        var instant = instant
        while instant < limit, !stretches.isEmpty {
            let wall = instant.milliseconds &+ zone.offset(at: instant)
            let (place, ofWeek) = next(wall)
            let start =
                place < stretches.count
                ? Int64(stretches[place].start) : Int64(stretches[0].start) + Int64(Self.minutes)
            let wait = start * Self.minuteMilliseconds - ofWeek
            guard wait > 0 else { return instant }
            let begin = instant.advanced(by: wait)
            instant = min(begin, zone.nextTransition(after: instant) ?? begin)
        }
        return limit
    }
}
