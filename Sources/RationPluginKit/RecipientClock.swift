public import RationModel

/// The wall clock on which a recipient's notifications are planned.
public enum RecipientClock: Sendable {
    /// A zone's, so that a wall time is an instant.
    case zone(ZoneTable)
    /// The device's, wherever it is.
    case floating

    /// The furthest that clocks on Earth are behind and ahead of UTC: UTC−12 and UTC+14.
    public static let earthMilliseconds: ClosedRange<Int64> = -12 * 3_600_000...14 * 3_600_000

    /// A wall time as a notification's date.
    /// - Parameter minute: since the day's midnight.
    public func date(day: Int64, minute: Int) -> WantedDate {
        switch self {
        case .zone(let zone): .at(zone.instant(day: day, minute: minute))
        case .floating: .wall(ZoneTable.wall(day: day, minute: minute))
        }
    }

    /// The instants at which that date may come: one, unless it floats.
    public static func instants(of date: WantedDate) -> ClosedRange<Instant> {
        switch date {
        case .at(let instant): return instant...instant
        case .wall(let wall):
            let instant = Instant(milliseconds: wall)
            return instant.advanced(
                by: -earthMilliseconds.upperBound)...instant.advanced(
                    by: -earthMilliseconds.lowerBound)
        }
    }

    /// The days that the clock may show at an instant: one, unless it floats.
    /// - Parameter instant: of the years 0 to 9999; the nearest such counts for others.
    public func days(at instant: Instant) -> ClosedRange<Int64> {
        let instant = min(max(instant, Instant.writable.lowerBound), Instant.writable.upperBound)
        func day(_ offset: Int64) -> Int64 { Instant.split(wall: instant.milliseconds + offset).day }
        switch self {
        case .zone(let zone):
            let offset = zone.offset(at: instant)
            return day(offset)...day(offset)
        case .floating: return day(Self.earthMilliseconds.lowerBound)...day(Self.earthMilliseconds.upperBound)
        }
    }
}

extension ZoneTable {
    /// The instant at which the zone's clock shows a minute of a day. Inside a gap it is read with the offset before the gap,
    /// and of two it is the first (semantics.md section 2).
    public func instant(day: Int64, minute: Int) -> Instant {
        instant(wall: Self.wall(day: day, minute: minute))
    }

    /// Milliseconds since 1970-01-01T00:00:00 on a clock.
    static func wall(day: Int64, minute: Int) -> Int64 {
        day * Instant.dayMilliseconds + Int64(minute) * 60_000
    }

    /// The day on the zone's clock and the minute since its midnight.
    /// - Parameter instant: of the years 0 to 9999.
    public func dayAndMinute(at instant: Instant) -> (day: Int64, minute: Int) {
        let (day, milliseconds) = Instant.split(wall: instant.milliseconds + offset(at: instant))
        return (day, Int(milliseconds / 60_000))
    }
}

extension ZoneSource {
    /// The zone of that name, byte for byte; nil if the database does not know it.
    public func zone(named name: String) -> ZoneTable? {
        var name = name
        return name.withUTF8 { zone(named: UnsafeRawBufferPointer($0)) }
    }
}
