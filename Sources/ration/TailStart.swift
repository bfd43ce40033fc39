import RationBus
import RationCommandLine
import RationConfiguration
import RationModel

/// Where `ration tail` begins, as it is written.
enum TailStart {
    /// - Parameter text: `now`, `start`, an event's number, a duration back from now, or a time; nil for `now`.
    static func read(_ text: String?, now: Instant = .wallClock) throws(Mismatch) -> FollowerStart {
        switch text {
        case nil, "now": return .now
        case "start": return .start
        case let text?:
            if let number = UInt64(text), (1...UInt64(Int64.max)).contains(number) {
                return .after(number - 1, log: nil)
            }
            if let milliseconds = WrittenDuration.milliseconds(text) {
                return .since(now.advanced(by: -milliseconds))
            }
            if let instant = Instant(rfc3339: text) { return .since(instant) }
            throw Mismatch(
                "expected now, start, an event's number from 1, a duration such as 5m, or a time such as "
                    + "2026-12-01T08:00:00Z, found '\(Quoted.short(text))'")
        }
    }
}
