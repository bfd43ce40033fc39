import Glibc
package import Testing

/// The point in time by which something has to have happened.
package struct Deadline {
    private let end: Int

    /// The longest wait for something that has to happen.
    package static let standardMilliseconds = 20_000

    package init(milliseconds: Int = Deadline.standardMilliseconds) {
        end = Monotonic.milliseconds + milliseconds
    }

    /// Milliseconds until then, never below 0.
    package var left: Int { max(0, end - Monotonic.milliseconds) }

    /// Fails the test when time is up.
    package func require(_ what: String, _ location: SourceLocation) throws {
        try #require(left > 0, "in time: \(what)", sourceLocation: location)
    }
}

/// Time that only goes on.
package enum Monotonic {
    package static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}

/// The wall clock, in milliseconds since 1970, as intents may name it.
package enum WallClock {
    package static var milliseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
    }
}
