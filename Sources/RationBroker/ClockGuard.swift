import RationModel

/// Holds the wall clock against the time since the machine's start (store.md, "Clock"). Pure.
///
/// While both go on together, now is the wall clock. A jump forward of over a minute is not believed: now then goes on with
/// the machine's time, and what waits for its time is not fired, until the wall clock comes back or an operator accepts it.
/// After a jump backward now waits until the wall clock has come up to it.
struct ClockGuard {
    enum State: String, Sendable {
        /// Now is the wall clock.
        case trusted
        /// The wall clock has jumped forward and is not believed.
        case doubted
        /// The wall clock has jumped backward; now stands still.
        case waiting
    }

    /// A jump forward that is believed: 60 s.
    static let believedMilliseconds: Int64 = 60_000
    /// A step backward that is no more than a correction: 1 s.
    static let steppedMilliseconds: Int64 = 1_000

    private(set) var state = State.trusted
    /// Jumps since the broker started.
    private(set) var forwardJumps = 0
    private(set) var backwardJumps = 0
    /// How far the wall clock is ahead of now; below 0, behind it.
    private(set) var aheadMilliseconds: Int64 = 0
    private var now = Instant.distantPast
    /// The wall clock less the machine's time when it was last believed; nil before the first reading.
    private var offset: Int64?

    /// Takes a reading of both clocks.
    /// - Returns: now; never before an earlier one.
    mutating func read(_ reading: ClockReading) -> Instant {
        let current = reading.wall.milliseconds - reading.sinceBootMilliseconds
        let drift = current - (offset ?? current)
        let before = state
        if drift > Self.believedMilliseconds {
            state = .doubted
            let monotonic = Instant(milliseconds: reading.wall.milliseconds - drift)
            now = max(now, monotonic)
        } else {
            offset = current
            state = reading.wall.advanced(by: Self.steppedMilliseconds) < now ? .waiting : .trusted
            now = max(now, reading.wall)
        }
        aheadMilliseconds = reading.wall.milliseconds - now.milliseconds
        if state == .doubted, before != .doubted { forwardJumps += 1 }
        if state == .waiting, before != .waiting { backwardJumps += 1 }
        return now
    }

    /// Believes the wall clock from the next reading on.
    mutating func accept() {
        offset = nil
    }
}
