internal import CRocksDB

/// Where databases live, when that is not the system's disk: a test's.
public protocol RocksEnvironment: AnyObject, Sendable {
    /// Sets what RocksDB is to use in place of the system's files, threads and clocks.
    /// - Parameter options: a `rocksdb_options_t`.
    func use(in options: OpaquePointer)
}

/// How a database is opened. What is not named here has RocksDB's default.
public struct RocksOptions: Sendable {
    /// What an opening does about a record of a write-ahead log that is damaged.
    public enum Recovery: Sendable {
        /// It fails, unless the record is the last one and its end is missing.
        case strict
        /// It goes on without the record, and without what follows it in the same block of 32 KiB. Whoever opens a database
        /// so has to find out what it lacks.
        case skippingDamage
    }

    /// Whether a database that is not there is made.
    public var createsIfMissing = false
    /// Whether nothing is written: the database is read as it is, with what its write-ahead logs hold. Several may read it so, also
    /// beside one who writes.
    public var isReadOnly = false
    public var recovery = Recovery.strict
    /// Bytes that the memtables of all families may hold together before one is flushed.
    public var memtableBytes = 192 << 20
    /// Bytes of write-ahead logs beyond which the families that keep the oldest one alive are flushed: what a start has to
    /// replay.
    public var logBytes = 256 << 20
    /// Bytes of blocks that were read and are kept in memory.
    public var cacheBytes = 32 << 20
    /// Nil: the system's. It lives as long as the database.
    public var environment: (any RocksEnvironment)?

    public init() {}

    func make(_ family: RocksFamily, cache: OpaquePointer, _ log: RocksLog) -> OpaquePointer {
        guard let options = rocksdb_options_create() else { preconditionFailure("RocksDB makes no options") }
        log.use(in: options)
        setDatabase(options)
        environment?.use(in: options)
        family.set(options, cache: cache)
        return options
    }

    private func setDatabase(_ options: OpaquePointer) {
        rocksdb_options_set_create_if_missing(options, createsIfMissing ? 1 : 0)
        rocksdb_options_set_create_missing_column_families(options, 1)
        // The default mode ends at a damaged record in the middle of a log and opens without what stands behind it.
        let mode =
            recovery == .strict
            ? rocksdb_tolerate_corrupted_tail_records_recovery : rocksdb_skip_any_corrupted_records_recovery
        rocksdb_options_set_wal_recovery_mode(options, Int32(mode))
        rocksdb_options_set_recycle_log_file_num(options, 0)
        rocksdb_options_set_paranoid_checks(options, 1)
        rocksdb_options_set_db_write_buffer_size(options, memtableBytes)
        rocksdb_options_set_max_total_wal_size(options, UInt64(logBytes))
        // All families are flushed together, so that a write stands in table files with all of it or not at all: what of it a
        // damaged log has lost can be told by any one of its rows.
        rocksdb_options_set_atomic_flush(options, 1)
        // Flushes go to the disk bit by bit, so that a commit's sync does not wait behind a whole memtable.
        rocksdb_options_set_bytes_per_sync(options, 1 << 20)
        rocksdb_options_set_max_background_flushes(options, 2)
        rocksdb_options_set_max_background_compactions(options, 1)
        // The journal of table files; a new one begins when it is as long.
        rocksdb_options_set_max_manifest_file_size(options, 4 << 20)
    }
}

/// A column family and what it is used for.
public struct RocksFamily: Sendable {
    public enum Use: Sendable {
        /// Keys are written, read, overwritten and deleted in any order.
        case records
        /// Keys rise and none is written twice; the oldest go with ``RocksDatabase/dropFiles(of:upTo:)``. Files of level 0
        /// never overlap, so compaction only moves them to level 1, and rewrites nothing.
        case rows
    }

    public var name: String
    public var use: Use
    /// Bytes of one memtable.
    public var memtableBytes: Int
    /// Bytes of a block of a file: what is read for one row, and what has an entry in the index, which is kept in memory.
    public var blockBytes: Int

    public init(_ name: String, _ use: Use, memtableBytes: Int, blockBytes: Int = 4 << 10) {
        self.name = name
        self.use = use
        self.memtableBytes = memtableBytes
        self.blockBytes = blockBytes
    }

    func set(_ options: OpaquePointer, cache: OpaquePointer) {
        rocksdb_options_set_write_buffer_size(options, memtableBytes)
        // One is written to while two are being flushed.
        rocksdb_options_set_max_write_buffer_number(options, 3)
        // A processor's time is dearer than room: LZ4 took a sixth of it while batches were committed.
        rocksdb_options_set_compression(options, Int32(rocksdb_no_compression))
        let table = rocksdb_block_based_options_create()
        rocksdb_block_based_options_set_block_cache(table, cache)
        rocksdb_block_based_options_set_block_size(table, blockBytes)
        rocksdb_options_set_block_based_table_factory(options, table)
        rocksdb_block_based_options_destroy(table)
        guard use == .rows else { return }
        rocksdb_options_set_level0_file_num_compaction_trigger(options, 1)
        // All of it may stand in level 1: nothing is ever too much there.
        rocksdb_options_set_max_bytes_for_level_base(options, 1 << 60)
    }
}
