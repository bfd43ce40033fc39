/// The buckets of durations: each holds what is at most so long and longer than the one before. They are part of the
/// file's format.
public enum DurationBuckets {
    private static let second: Int64 = 1_000
    private static let hour: Int64 = 3_600_000

    /// The longest duration of each bucket in milliseconds; the last bucket has none.
    public static let bounds: [Int64] = [
        0, second, 10 * second, 60 * second, 300 * second, 900 * second, hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour,
        72 * hour, 168 * hour,
    ]

    /// How each is named.
    public static let names = [
        "none", "1 s", "10 s", "1 min", "5 min", "15 min", "1 h", "3 h", "6 h", "12 h", "1 d", "3 d", "7 d", "more",
    ]

    public static func index(_ milliseconds: Int64) -> Int {
        bounds.firstIndex { milliseconds <= $0 } ?? bounds.count
    }
}

/// What is measured.
public enum DurationMeasure: Int64, CaseIterable, Sendable {
    /// From the requested date of a `due` to its fire date.
    case latency
    /// From the event that put a notification into the queue to the one that gave it a slot.
    case queuedUntilHeld
    /// The same to the one that ended it.
    case queuedUntilGone
}
