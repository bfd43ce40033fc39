import Foundation

/// Dates as the broker writes them.
enum Instants {
    /// Milliseconds since 1970 of `2026-12-01T08:00:00.000Z`; nil for what is no such date.
    static func milliseconds(_ text: String) -> Int? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return (try? style.parse(text)).map { Int(($0.timeIntervalSince1970 * 1000).rounded()) }
    }
}
