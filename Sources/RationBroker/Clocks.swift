import Glibc
public import RationModel

/// What time it is; real, or a test's.
public protocol WallClock: Sendable {
    func now() -> Instant

    /// Both clocks at one moment.
    func reading() -> ClockReading
}

/// The wall clock beside the time since the machine's start.
public struct ClockReading: Hashable, Sendable {
    public var wall: Instant
    public var sinceBootMilliseconds: Int64

    public init(wall: Instant, sinceBootMilliseconds: Int64) {
        (self.wall, self.sinceBootMilliseconds) = (wall, sinceBootMilliseconds)
    }
}

/// The system's wall clock.
public struct SystemClock: WallClock {
    public init() {}

    public func now() -> Instant { Instant(milliseconds: Self.milliseconds(CLOCK_REALTIME)) }

    public func reading() -> ClockReading {
        ClockReading(wall: now(), sinceBootMilliseconds: Self.milliseconds(CLOCK_BOOTTIME))
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
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
