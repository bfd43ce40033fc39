import Foundation
import RationModel

/// A time zone's wall clock, by the tz database.
struct ZoneClock {
    /// The zone's name in the tz database.
    let zone: String
    private let timeZone: TimeZone

    /// - Throws: `DemoError` for a zone that this machine's tz database lacks.
    init(zone: String) throws(DemoError) {
        guard let timeZone = TimeZone(identifier: zone) else { throw DemoError(code: .zone, value: zone) }
        self.zone = zone
        self.timeZone = timeZone
    }

    /// The day that the wall shows, in days since 1970-01-01.
    func day(at instant: Instant) -> Int {
        let local = instant.milliseconds + offset(at: instant)
        return Int((Double(local) / 86_400_000).rounded(.down))
    }

    /// When the wall shows a time. One that occurs twice is the first; one that the clock jumps over is read with the
    /// offset before the jump (semantics.md section 2).
    /// - Parameters:
    ///   - day: days since 1970-01-01.
    ///   - minute: minutes since midnight.
    func instant(day: Int, minute: Int) -> Instant {
        let local = Instant(milliseconds: Int64(day) * 86_400_000 + Int64(minute) * 60_000)
        let earlier = offset(at: local.advanced(by: -86_400_000))
        let later = offset(at: local.advanced(by: 86_400_000))
        let candidate = local.advanced(by: -earlier)
        if offset(at: candidate) == earlier { return candidate }
        let other = local.advanced(by: -later)
        return offset(at: other) == later ? other : candidate
    }

    /// Milliseconds east of UTC.
    private func offset(at instant: Instant) -> Int64 {
        let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1_000)
        return Int64(timeZone.secondsFromGMT(for: date)) * 1_000
    }
}
