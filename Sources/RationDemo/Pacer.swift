public import RationModel

/// When the intents of a steady stream are due.
///
/// Who falls behind by more than two seconds does not catch up: what was missed is left out.
public struct Pacer {
    /// The longest lag that is caught up, in milliseconds.
    public static let lagMilliseconds: Int64 = 2_000

    private let perSecond: Int
    private var start: Instant
    /// Intents since `start` that are done.
    private var done = 0

    /// - Parameters:
    ///   - perSecond: 1 to 1,000,000.
    ///   - start: before the first intent.
    public init(perSecond: Int, start: Instant) {
        precondition((1...1_000_000).contains(perSecond), "\(perSecond) intents a second cannot be paced")
        self.perSecond = perSecond
        self.start = start
    }

    /// When the next intent is due.
    public var next: Instant {
        // Two seconds of lag are 2,000,000 intents at most, and a year of them is below 2^45.
        start.advanced(by: Int64(done) * 1_000 / Int64(perSecond))
    }

    /// Whether an intent is due.
    public mutating func isDue(at now: Instant) -> Bool {
        let lag = now.milliseconds - next.milliseconds
        if lag > Self.lagMilliseconds { start = start.advanced(by: lag - Self.lagMilliseconds) }
        return next <= now
    }

    /// Counts intents that were made.
    public mutating func count(_ intents: Int) {
        done += intents
    }
}
