/// Days of the proleptic Gregorian calendar, counted from 1970-01-01, for whoever works with wall times.
extension Instant {
    /// The length of a day in milliseconds.
    public static let dayMilliseconds: Int64 = 86_400_000

    /// Splits a wall time (milliseconds since 1970-01-01T00:00:00 on that clock) into its day and the milliseconds since
    /// that day's midnight, 0 ..< 86,400,000.
    @inlinable
    public static func split(wall: Int64) -> (day: Int64, milliseconds: Int64) {
        let day = wall >= 0 ? wall / 86_400_000 : (wall + 1) / 86_400_000 - 1
        return (day, wall - day * 86_400_000)
    }

    /// The weekday of a day since 1970-01-01: 1 is Sunday, 7 Saturday, as calendar triggers count them.
    @inlinable
    public static func weekday(day: Int64) -> Int {
        // 1970-01-01 was a Thursday, the fifth.
        let remainder = (day + 4) % 7
        return Int(remainder < 0 ? remainder + 7 : remainder) + 1
    }

    @inlinable
    public static func isLeap(year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// The number of days of a month, 1–12.
    @inlinable
    public static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year: year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
