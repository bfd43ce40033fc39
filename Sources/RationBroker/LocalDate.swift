import RationModel

/// Dates for people: RFC 3339, with what the recipient's wall clock shows.
struct LocalDate {
    let zone: ZoneTable

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    /// `2026-12-01T23:00:00.000Z (Wed 00:00 in Europe/Madrid)`; without the parenthesis in UTC.
    func withZone(_ instant: Instant) -> String {
        isUTC ? instant.rfc3339 : "\(instant.rfc3339) (\(wallClock(instant)) in \(zone.name))"
    }

    /// `2026-12-01T23:00:00.000Z (Wed 00:00)`, for where the zone has been named.
    func text(_ instant: Instant) -> String {
        isUTC ? instant.rfc3339 : "\(instant.rfc3339) (\(wallClock(instant)))"
    }

    private var isUTC: Bool { zone.name == "UTC" }

    private func wallClock(_ instant: Instant) -> String {
        let wall = instant.advanced(by: zone.offset(at: instant)).milliseconds
        let (day, milliseconds) = Instant.split(wall: wall)
        let (minute, rest) = milliseconds.quotientAndRemainder(dividingBy: 60_000)
        var time = TimeOfDay.text(Int(minute))
        if rest >= 1000 { time += rest < 10_000 ? ":0\(rest / 1000)" : ":\(rest / 1000)" }
        return "\(Self.weekdays[Instant.weekday(day: day) - 1]) \(time)"
    }
}
