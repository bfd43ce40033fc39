import Glibc
import Testing

/// The point in time by which something has to have happened.
struct Deadline {
    private let end: Int

    /// The longest wait for something that has to happen.
    static let standardMilliseconds = 20_000

    init(milliseconds: Int = Deadline.standardMilliseconds) {
        end = Monotonic.milliseconds + milliseconds
    }

    /// Milliseconds until then, never below 0.
    var left: Int { max(0, end - Monotonic.milliseconds) }

    /// Fails the test when time is up.
    func require(_ what: String, _ location: SourceLocation) throws {
        try #require(left > 0, "in time: \(what)", sourceLocation: location)
    }
}

/// Time that only goes on.
enum Monotonic {
    static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

/// The wall clock, in milliseconds since 1970, as intents may name it.
enum WallClock {
    static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
