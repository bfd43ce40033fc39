/// Evaluating a rule by arithmetic, for any year.
extension ZoneRule {
    /// Milliseconds east of UTC.
    /// - Parameter instant: of the years 0 to 9999; the offset before and after them is that of the nearest.
    public func offset(at instant: Instant) -> Int64 {
        offset(at: instant.clampedToWritable)
    }

    /// Milliseconds east of UTC.
    /// - Parameter milliseconds: an instant of the years 0 to 9999 or next to them.
    func offset(at milliseconds: Int64) -> Int64 {
        guard let daylight else { return standardMilliseconds }
        let year = Instant.date(days: Instant.split(wall: milliseconds).day).year
        var (latest, isDaylight) = (Int64.min, false)
        // A change may lie up to a week outside its year.
        for year in year - 1...year + 1 {
            let (begin, end) = changes(of: daylight, year: year)
            // Where one year's end is the next one's beginning, daylight-saving time is in force all year.
            if begin <= milliseconds && begin >= latest { (latest, isDaylight) = (begin, true) }
            if end <= milliseconds && end > latest { (latest, isDaylight) = (end, false) }
        }
        return isDaylight ? daylight.offsetMilliseconds : standardMilliseconds
    }

    /// The first instant after `milliseconds` at which the offset differs from the one before; nil if it never does.
    func nextTransition(after milliseconds: Int64) -> Int64? {
        guard let daylight else { return nil }
        let first = Instant.date(days: Instant.split(wall: milliseconds).day).year - 1
        var found: (change: Int64, year: Int)?
        // A rule that changes anything does so at least once in eight years: leap days are that far apart.
        for year in first...first + 10 {
            // A change in the next year's list may be the earlier one, but none later than that.
            if let found, year > found.year + 1 { break }
            let (begin, end) = changes(of: daylight, year: year)
            for change in [min(begin, end), max(begin, end)]
            where change > milliseconds && change < found?.change ?? .max && isReal(change) {
                found = (change, year)
            }
        }
        return found?.change
    }

    private func isReal(_ change: Int64) -> Bool {
        offset(at: change - 1) != offset(at: change)
    }

    private func changes(of daylight: Daylight, year: Int) -> (begin: Int64, end: Int64) {
        (
            daylight.begins.wall(year: year) - standardMilliseconds,
            daylight.ends.wall(year: year) - daylight.offsetMilliseconds
        )
    }
}

extension ZoneRule.Change {
    fileprivate func wall(year: Int) -> Int64 {
        day.count(year: year) * Instant.dayMilliseconds + milliseconds
    }
}

extension ZoneRule.Day {
    /// Days since 1970-01-01.
    fileprivate func count(year: Int) -> Int64 {
        switch self {
        case .julian(let day):
            let leapDay = day >= 60 && Instant.isLeap(year: year) ? 1 : 0
            return Instant.days(year: year, month: 1, day: 1) + Int64(day - 1 + leapDay)
        case .ordinal(let day):
            return Instant.days(year: year, month: 1, day: 1) + Int64(day)
        case .weekday(let month, let week, let day):
            let first = Instant.days(year: year, month: month, day: 1)
            let toWeekday = (day + 1 - Instant.weekday(day: first) + 7) % 7
            let index = toWeekday + 7 * (week - 1)
            return first + Int64(index < Instant.length(ofMonth: month, year: year) ? index : index - 7)
        }
    }
}
