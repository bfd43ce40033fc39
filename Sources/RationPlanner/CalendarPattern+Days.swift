import RationModel

/// The days that a pattern's date components name.
extension CalendarPattern {
    /// The first matching day.
    /// - Parameters:
    ///   - first: days since 1970-01-01, as are `last` and the result.
    /// - Returns: nil when it would be after `last`.
    func matchingDay(from first: Int64, through last: Int64) -> Int64? {
        guard first <= last else { return nil }
        guard year & month & day == -1 else { return matchingDate(from: first, through: last) }
        guard weekday >= 0 else { return first }
        let match = first + Int64((Int(weekday) - Instant.weekday(day: first) + 7) % 7)
        return match <= last ? match : nil
    }

    /// The same for a pattern that names a year, month or day: from month to month, over the years and months that it
    /// excludes.
    private func matchingDate(from first: Int64, through last: Int64) -> Int64? {
        let month = namedMonth
        var date = Instant.date(days: first)
        while true {
            if year >= 0, date.year < year { date = (Int(year), 1, 1) }
            if let month, date.month != month {
                date = (date.month < month ? date.year : date.year + 1, month, 1)
            }
            if year >= 0, date.year > year { return nil }
            let monthBefore = Instant.days(year: date.year, month: date.month, day: 1) - 1
            guard monthBefore < last else { return nil }
            if let day = matchingDay(of: date, monthBefore: monthBefore) {
                return monthBefore + day <= last ? monthBefore + day : nil
            }
            date = date.month < 12 ? (date.year, date.month + 1, 1) : (date.year + 1, 1, 1)
        }
    }

    /// The only month that matches: the one that is named, or January for a year alone.
    private var namedMonth: Int? {
        month >= 0 ? Int(month) : day & weekday & hour == -1 ? 1 : nil
    }

    /// The first matching day of a month that is not before `date`, 1–31.
    /// - Parameter monthBefore: the last day of the month before, since 1970-01-01.
    private func matchingDay(of date: (year: Int, month: Int, day: Int), monthBefore: Int64) -> Int64? {
        let length = Instant.length(ofMonth: date.month, year: date.year)
        // A year or a month alone stands for its first day.
        let named = day >= 0 ? Int(day) : weekday & hour == -1 ? 1 : nil
        guard let named else {
            guard weekday >= 0 else { return Int64(date.day) }
            let found = Instant.weekday(day: monthBefore + Int64(date.day))
            let match = date.day + (Int(weekday) - found + 7) % 7
            return match <= length ? Int64(match) : nil
        }
        guard named >= date.day, named <= length else { return nil }
        let isMatch = weekday < 0 || Instant.weekday(day: monthBefore + Int64(named)) == weekday
        return isMatch ? Int64(named) : nil
    }
}
