import Glibc

/// The time since the machine's start.
enum MachineClock {
    static func nanoseconds() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }

    /// Milliseconds of the wall clock.
    static func wallMilliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = nanoseconds()
        try work()
        return Double(nanoseconds() - start) / 1e9
    }
}
