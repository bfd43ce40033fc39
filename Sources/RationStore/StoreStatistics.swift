internal import RationRocksDB
internal import Synchronization

/// What a durable store is busy with, for metrics.
public struct StoreStatistics: Sendable, Hashable {
    /// Bytes of batches' rows (intents, contents, outcomes, events) that were committed since the store was opened; what the
    /// checkpoint writes is not among them.
    public var committedBytes: UInt64
    /// Bytes of all memtables.
    public var memtableBytes: UInt64
    /// Memtables that wait to be flushed or are being flushed.
    public var waitingMemtables: UInt64
    /// Bytes of table files.
    public var tableBytes: UInt64
    /// Bytes that compaction would have to rewrite now.
    public var compactionBacklogBytes: UInt64
    /// Whether commits wait until RocksDB has flushed or compacted, and bytes a second when they are slowed down only; 0
    /// when they are not.
    public var isStopped: Bool
    public var slowedToBytesPerSecond: UInt64
    /// Flushes and compactions that failed since the store was opened.
    public var backgroundErrors: UInt64
    /// Bytes that the disk has free for this process; 0 when nobody can tell.
    public var freeBytes: UInt64
}

extension RocksDBStore {
    public var statistics: StoreStatistics {
        func sum(_ property: String) -> UInt64 {
            StoreFamily.allCases.reduce(0) { $0 + (database.number(property, of: $1.rawValue) ?? 0) }
        }
        return StoreStatistics(
            committedBytes: committedBytes.load(ordering: .relaxed),
            memtableBytes: sum("rocksdb.size-all-mem-tables"), waitingMemtables: sum("rocksdb.num-immutable-mem-table"),
            tableBytes: sum("rocksdb.total-sst-files-size"),
            compactionBacklogBytes: sum("rocksdb.estimate-pending-compaction-bytes"),
            isStopped: database.number("rocksdb.is-write-stopped") == 1,
            slowedToBytesPerSecond: database.number("rocksdb.actual-delayed-write-rate") ?? 0,
            backgroundErrors: database.number("rocksdb.background-errors") ?? 0, freeBytes: space.freeBytes)
    }
}
