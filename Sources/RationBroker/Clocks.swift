import Glibc
public import RationModel

/// What time it is; real, or a test's.
public protocol WallClock: Sendable {
    func now() -> Instant
}

/// The system's wall clock.
public struct SystemClock: WallClock {
    public init() {}

    public func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}

/// Time that only goes on, for deadlines.
enum Monotonic {
    static func milliseconds() -> Int { nanoseconds() / 1_000_000 }

    static func nanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
