import Glibc

/// The processor time of the calling thread: what others do on the machine's cores costs it little.
enum Stopwatch {
    /// Seconds that something takes.
    static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = now()
        try work()
        return now() - start
    }

    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
