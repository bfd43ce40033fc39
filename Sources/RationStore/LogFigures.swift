public import RationModel

/// What of an event log is kept, and for how long.
public struct LogFigures: Sendable, Hashable {
    public var range: LogRange
    /// Of the rows that are kept.
    public var bytes: UInt64
    /// The instants of the oldest and of the newest event that are kept; nil without events.
    public var oldest: Instant?
    public var newest: Instant?
    /// Bytes that are kept at most, but for the newest row.
    public var retentionBytes: Int
    /// How long an event is kept at most; nil: as long as there is room for it.
    public var retentionMilliseconds: Int64?

    public init(
        range: LogRange, bytes: UInt64, oldest: Instant?, newest: Instant?, retentionBytes: Int,
        retentionMilliseconds: Int64?
    ) {
        (self.range, self.bytes, self.oldest, self.newest) = (range, bytes, oldest, newest)
        (self.retentionBytes, self.retentionMilliseconds) = (retentionBytes, retentionMilliseconds)
    }
}
