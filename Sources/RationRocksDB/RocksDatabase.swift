internal import CRocksDB
internal import Glibc

/// An open RocksDB database: this target is the only one that says RocksDB's C names. It closes when the last reference
/// goes; iterators keep it open.
///
/// `@unchecked Sendable`: RocksDB's own functions may be called from any thread, the handles here never change, and
/// `deinit` runs when nobody else can call.
public final class RocksDatabase: @unchecked Sendable {
    public let folder: String
    let handle: OpaquePointer
    let reading: OpaquePointer
    /// For a walk over a whole family.
    let scanning: OpaquePointer
    private let families: [OpaquePointer]
    private let cache: OpaquePointer
    private let synced: OpaquePointer
    private let unsynced: OpaquePointer
    private let environment: (any RocksEnvironment)?

    /// Opens the database in a folder.
    /// - Parameter families: all that the database has; the first is named `default`. One that is missing is made. Elsewhere
    ///   a family is said by its place in this list.
    /// - Throws: ``RocksError`` with the folder and RocksDB's words.
    public init(folder: String, _ options: RocksOptions, families: [RocksFamily]) throws(RocksError) {
        guard let cache = rocksdb_cache_create_lru(options.cacheBytes) else {
            preconditionFailure("RocksDB makes no cache")
        }
        let log = RocksLog()
        let made = families.map { options.make($0, cache: cache, log) }
        defer { made.forEach(rocksdb_options_destroy) }
        do {
            (handle, self.families) = try Self.open(folder, families.map(\.name), made, isReadOnly: options.isReadOnly)
        } catch {
            rocksdb_cache_destroy(cache)
            throw log.explained(error)
        }
        self.folder = folder
        self.cache = cache
        environment = options.environment
        synced = Self.writeOptions(isSynced: true)
        unsynced = Self.writeOptions(isSynced: false)
        reading = rocksdb_readoptions_create()
        scanning = rocksdb_readoptions_create()
        rocksdb_readoptions_set_fill_cache(scanning, 0)
        rocksdb_readoptions_set_readahead_size(scanning, 1 << 20)
    }

    deinit {
        families.forEach(rocksdb_column_family_handle_destroy)
        rocksdb_close(handle)
        rocksdb_writeoptions_destroy(synced)
        rocksdb_writeoptions_destroy(unsynced)
        rocksdb_readoptions_destroy(reading)
        rocksdb_readoptions_destroy(scanning)
        rocksdb_cache_destroy(cache)
    }

    private static func open(
        _ folder: String, _ names: [String], _ options: [OpaquePointer], isReadOnly: Bool
    ) throws(RocksError) -> (OpaquePointer, [OpaquePointer]) {
        let copies = names.map { strdup($0) }
        defer { copies.forEach { free($0) } }
        var pointers = copies.map { UnsafePointer($0) }
        var optional = options.map(Optional.some)
        var handles = [OpaquePointer?](repeating: nil, count: names.count)
        let database = try RocksError.check(folder) { status in
            isReadOnly
                ? rocksdb_open_for_read_only_column_families(
                    options[0], folder, Int32(names.count), &pointers, &optional, &handles, 0, status)
                : rocksdb_open_column_families(
                    options[0], folder, Int32(names.count), &pointers, &optional, &handles, status)
        }
        guard let database else { throw RocksError(.other, folder: folder, "no database") }
        return (database, handles.compactMap { $0 })
    }

    private static func writeOptions(isSynced: Bool) -> OpaquePointer {
        guard let options = rocksdb_writeoptions_create() else { preconditionFailure("RocksDB makes no options") }
        rocksdb_writeoptions_set_sync(options, isSynced ? 1 : 0)
        return options
    }

    func family(_ family: Int) -> OpaquePointer { families[family] }

    /// Writes a batch, all or nothing.
    /// - Parameter isSynced: whether it is on disk when this returns; otherwise it survives the process, not the machine.
    /// - Throws: ``RocksError``; then the outcome is unknown, and the database must not be written any more.
    public func write(_ batch: borrowing RocksBatch, isSynced: Bool) throws(RocksError) {
        try RocksError.check(folder) { rocksdb_write(handle, isSynced ? synced : unsynced, batch.handle, $0) }
    }

    /// Writes a family's memtable to a file, and waits for it.
    public func flush(_ family: Int) throws(RocksError) {
        let options = rocksdb_flushoptions_create()
        defer { rocksdb_flushoptions_destroy(options) }
        try RocksError.check(folder) { rocksdb_flush_cf(handle, options, self.family(family), $0) }
    }

    /// Lets go of a family's files below level 0 that hold no key beyond `last`: space comes back at once and nothing is
    /// rewritten. Some of the keys may stay: whoever calls this passes over them.
    public func dropFiles(of family: Int, upTo last: [UInt8]) throws(RocksError) {
        try RocksError.check(folder) { status in
            last.withChars {
                rocksdb_delete_file_in_range_cf(handle, self.family(family), "", 0, $0, last.count, status)
            }
        }
    }

    /// Makes a copy of the database as it is now, in a folder that is not there yet on the same disk, of hard links to the
    /// files that never change.
    public func checkpoint(to folder: String) throws(RocksError) {
        let checkpoint = try RocksError.check(self.folder) { rocksdb_checkpoint_object_create(handle, $0) }
        defer { rocksdb_checkpoint_object_destroy(checkpoint) }
        try RocksError.check(folder) { rocksdb_checkpoint_create(checkpoint, folder, 0, $0) }
    }

    /// One of RocksDB's properties that are numbers (`rocksdb.background-errors`, …).
    /// - Returns: nil for one that it does not know.
    public func number(_ property: String, of family: Int = 0) -> UInt64? {
        var value: UInt64 = 0
        return rocksdb_property_int_cf(handle, self.family(family), property, &value) == 0 ? value : nil
    }

    /// One of RocksDB's properties as text (`rocksdb.stats`, …).
    /// - Returns: nil for one that it does not know.
    public func text(_ property: String, of family: Int = 0) -> String? {
        guard let text = rocksdb_property_value_cf(handle, self.family(family), property) else { return nil }
        defer { rocksdb_free(text) }
        return String(cString: text)
    }
}
