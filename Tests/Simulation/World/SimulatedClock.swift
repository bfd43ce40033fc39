import RationBroker
import RationBus
import RationModel

/// The time of a simulation: it goes on when it is told to. The wall clock beside it may jump.
///
/// `@unchecked Sendable`: a simulation uses it from one thread.
final class SimulatedClock: WallClock, MonotonicClock, @unchecked Sendable {
    private static let start: Int64 = 1_796_000_000_000

    /// Since the machine's start.
    private(set) var milliseconds: Int64 = 1_000_000
    /// How far the wall clock is ahead of what is true.
    private(set) var aheadMilliseconds: Int64 = 0

    func advance(_ milliseconds: Int64) { self.milliseconds += milliseconds }

    func jump(_ milliseconds: Int64) { aheadMilliseconds += milliseconds }

    /// The wall clock is right again.
    func correct() { aheadMilliseconds = 0 }

    var trueNow: Instant { Instant(milliseconds: Self.start + milliseconds) }

    func now() -> Instant { trueNow.advanced(by: aheadMilliseconds) }

    func reading() -> ClockReading { ClockReading(wall: now(), sinceBootMilliseconds: milliseconds) }
}
