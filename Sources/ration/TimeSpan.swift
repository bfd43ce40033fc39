import Glibc
import RationModel

extension Instant {
    /// Now, by this machine's clock.
    static var wallClock: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// Spans of time in the two largest units that they have: `3d 4h`, `12m 5s`.
enum TimeSpan {
    private static let units: [(name: String, seconds: Int64)] = [("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1)]

    /// - Returns: the span, with `ago` behind it if `end` has passed.
    static func words(from start: Instant, to end: Instant) -> String {
        let (milliseconds, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        guard !overflow else { return "" }
        return milliseconds < 0 ? words(milliseconds.magnitude) + " ago" : words(milliseconds.magnitude)
    }

    /// - Parameter milliseconds: at least 0.
    static func words(milliseconds: Int64) -> String { words(milliseconds.magnitude) }

    private static func words(_ milliseconds: UInt64) -> String {
        // A magnitude in seconds fits.
        var seconds = Int64(milliseconds / 1_000)
        let first = units.firstIndex { seconds >= $0.seconds } ?? units.count - 1
        var parts: [String] = []
        for unit in units[first...].prefix(2) {
            if parts.isEmpty || seconds >= unit.seconds { parts.append("\(seconds / unit.seconds)\(unit.name)") }
            seconds %= unit.seconds
        }
        return parts.joined(separator: " ")
    }
}
