/// How a durable store is kept.
public struct StoreSettings: Sendable {
    /// Bytes of events that are kept. The newest row is kept whatever its size; the oldest go a 4,096th of this at a time.
    public var retentionBytes = 16 << 20
    /// How long an event is kept at most, give or take a 1,024th; nil: as long as there is room for it.
    public var retentionMilliseconds: Int64?
    /// The store has no room when the disk has fewer free bytes than the larger of the two (store.md: 5 % and 2 GiB).
    public var watermarkBytes = 2 << 30
    public var watermarkPercent = 5
    /// Bytes of a file that does nothing but be there, so that a start on a full disk can release it: a start writes what the
    /// write-ahead logs hold. 0: none.
    public var ballastBytes = 512 << 20
    /// Bytes of one memtable of a family of rows; all memtables together may hold three times as much.
    public var memtableBytes = 64 << 20
    /// Bytes of write-ahead logs, which a start replays.
    public var logBytes = 256 << 20
    /// Where it is kept.
    public var disk: any StoreDisk = SystemDisk()

    public init() {}
}
