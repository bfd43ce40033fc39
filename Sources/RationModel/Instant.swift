/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, as semantics.md counts it.
public struct Instant: Hashable, Comparable, Sendable, BitwiseCopyable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    public var milliseconds: Int64

    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Before every date that can be written: stands for "never has been".
    public static let distantPast = Instant(milliseconds: .min)
    /// After every date that can be written: stands for "never will be".
    public static let distantFuture = Instant(milliseconds: .max)

    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant `milliseconds` later, held at the ends of the range instead of overflowing.
    @inlinable
    public func advanced(by milliseconds: Int64) -> Instant {
        let (sum, overflow) = self.milliseconds.addingReportingOverflow(milliseconds)
        if overflow { return milliseconds < 0 ? .distantPast : .distantFuture }
        return Instant(milliseconds: sum)
    }
}
