import RationModel

/// A time zone's wall clock, by the tz database.
struct ZoneClock {
    /// The zone's name in the tz database.
    let zone: String
    private let table: ZoneTable

    /// - Throws: `DemoError` for a zone that the tz database lacks.
    init(zone: String, in zones: any ZoneSource) throws(DemoError) {
        var name = zone
        let table = name.withUTF8 { zones.zone(named: UnsafeRawBufferPointer($0)) }
        guard let table else { throw DemoError(code: .zone, value: zone) }
        (self.zone, self.table) = (zone, table)
    }

    /// The day that the wall shows, in days since 1970-01-01.
    func day(at instant: Instant) -> Int {
        Int(Instant.split(wall: instant.milliseconds + table.offset(at: instant)).day)
    }

    /// When the wall shows a time. One that occurs twice is the first; one that the clock jumps over is read with the
    /// offset before the jump (semantics.md section 2).
    /// - Parameters:
    ///   - day: days since 1970-01-01.
    ///   - minute: minutes since midnight.
    func instant(day: Int, minute: Int) -> Instant {
        table.instant(wall: Int64(day) * 86_400_000 + Int64(minute) * 60_000)
    }
}
