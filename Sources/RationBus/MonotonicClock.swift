internal import Glibc

/// A clock for deadlines: it never goes back and has no date. Tests have their own.
public protocol MonotonicClock: Sendable {
    /// Milliseconds since a point that stays the same as long as the process runs.
    var milliseconds: Int64 { get }
}

/// The kernel's CLOCK_MONOTONIC.
public struct SystemMonotonicClock: MonotonicClock {
    public init() {}

    public var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
