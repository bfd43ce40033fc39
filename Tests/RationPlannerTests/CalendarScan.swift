import RationModel

/// The slow answer to when a pattern fires: every minute that a zone's clocks show in a stretch of days is looked at, by
/// nothing but `ZoneTable.offset`. Offsets and transitions are whole minutes.
struct CalendarScan {
    struct Minute {
        /// Milliseconds since 1970-01-01T00:00:00 on the wall.
        var wall: Int64
        /// When it fires: its first occurrence, or, inside a gap, read with the offset before it.
        var instant: Int64
        var date: CalendarDay
        var hour: Int
        var minute: Int
    }

    /// What the clocks show, each wall minute once, and those that they skip.
    private(set) var wallMinutes: [Minute] = []
    /// What the clocks show from one real minute to the next.
    private(set) var realMinutes: [Minute] = []
    /// The minutes that begin with another offset than the one before.
    private(set) var transitions: [Int64] = []
    private var dates: [Int: CalendarDay] = [:]

    /// - Parameters:
    ///   - start: a whole minute, as is `end`.
    init(_ zone: ZoneTable, from start: Int64, to end: Int64) {
        var instants: [Int64: Int64] = [:]
        var gaps: [Int64: Int64] = [:]
        var lastOffset = zone.offset(at: Instant(milliseconds: start))
        for instant in stride(from: start, to: end, by: 60_000) {
            let offset = zone.offset(at: Instant(milliseconds: instant))
            for wall in stride(from: instant + lastOffset, to: instant + offset, by: 60_000) {
                gaps[wall] = wall - lastOffset
            }
            if offset != lastOffset { transitions.append(instant) }
            lastOffset = offset
            let wall = instant + offset
            if instants[wall] == nil { instants[wall] = instant }
            realMinutes.append(minute(wall: wall, instant: instant))
        }
        instants.merge(gaps) { shown, _ in shown }
        wallMinutes = instants.sorted { $0.key < $1.key }.map { minute(wall: $0.key, instant: $0.value) }
    }

    private mutating func minute(wall: Int64, instant: Int64) -> Minute {
        let day = Int((Double(wall) / 86_400_000).rounded(.down))
        let date = dates[day] ?? CalendarDay(day)
        dates[day] = date
        let minutes = Int(wall - Int64(day) * 86_400_000) / 60_000
        return Minute(wall: wall, instant: instant, date: date, hour: minutes / 60, minute: minutes % 60)
    }

    /// All instants at which the pattern fires, ascending.
    func matches(_ pattern: CalendarPattern) -> [Int64] {
        let seconds = Int64(max(pattern.second, 0)) * 1000
        if pattern.namesOnlyMinutes {
            return realMinutes.filter { pattern.minute < 0 || $0.minute == pattern.minute }.map { $0.instant + seconds }
        }
        let matching = wallMinutes.filter {
            $0.hour == max(pattern.hour, 0) && $0.minute == max(pattern.minute, 0) && pattern.matches($0.date)
        }
        return Set(matching.map { $0.instant + seconds }).sorted()
    }
}

extension CalendarPattern {
    var namesOnlyMinutes: Bool { [year, month, day, weekday, hour].allSatisfy { $0 < 0 } }

    /// Whether a date has the named components, and the lowest of those below the smallest named one.
    func matches(_ date: CalendarDay) -> Bool {
        for (named, found) in [(year, date.year), (month, date.month), (day, date.day), (weekday, date.weekday)]
        where named >= 0 && Int(named) != found { return false }
        guard hour < 0, day < 0, weekday < 0 else { return true }
        return date.day == 1 && (month >= 0 || date.month == 1)
    }
}

/// A day's date, counted up from 1 January 2000, a Saturday.
struct CalendarDay: Equatable {
    var year = 2000
    var month = 1
    var day = 1
    /// 1 is Sunday.
    var weekday = 7

    /// - Parameter count: days since 1970-01-01, from 2000 on.
    init(_ count: Int) {
        var days = count - 10_957
        weekday = (days + 6) % 7 + 1
        while days >= Self.length(year) {
            days -= Self.length(year)
            year += 1
        }
        while days >= Self.length(month, year) {
            days -= Self.length(month, year)
            month += 1
        }
        day = days + 1
    }

    private static func length(_ year: Int) -> Int {
        (1...12).reduce(0) { $0 + length($1, year) }
    }

    private static func length(_ month: Int, _ year: Int) -> Int {
        let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}
