internal import Glibc
internal import RationRocksDB
internal import Synchronization

/// Letting go of the files that hold values as they were before they were overwritten or deleted.
extension RocksDBStore {
    /// How long RocksDB may take to remove files that it needs no more: readers and backups hold them for a while.
    private static let removalMilliseconds: Int64 = 60_000
    private static let lookMicroseconds: UInt32 = 20_000

    /// Flushes all, merges the files of some families, and waits until the files as they were have gone.
    /// - Parameter record: the key of a record whose files are merged, too.
    func sweep(_ families: [StoreFamily], record: [UInt8]?) throws(StoreError) {
        let errors = database.number("rocksdb.background-errors") ?? 0
        let before = try fileNames()
        try beginLog()
        try flushAll()
        for family in families { database.compact(family.rawValue) }
        if let record { database.compact(StoreFamily.records.rawValue, from: record, upTo: record) }
        guard (database.number("rocksdb.background-errors") ?? 0) == errors else {
            throw StoreError(
                .system, path: folder.database, "files could not be merged; the file LOG in it says why")
        }
        try awaitRemoval(of: before)
    }

    /// Links come last, and the rest once more before them while nobody commits: a link in a table file says that no log is
    /// needed any more for its batch.
    private func flushAll() throws(StoreError) {
        let others = StoreFamily.allCases.filter { $0 != .links }
        func flush(_ families: [StoreFamily]) throws(StoreError) {
            for family in families { try writes { () throws(RocksError) in try database.flush(family.rawValue) } }
        }
        try flush(others)
        try writing.withLock { (_) throws(StoreError) in try flush(others + [.links]) }
    }

    /// Begins a new write-ahead log: RocksDB does when it flushes what had something written to it. A family without anything to
    /// flush lets go of earlier logs then, and no earlier.
    private func beginLog() throws(StoreError) {
        var batch = RocksBatch(for: database)
        batch.putSealed(.state, StateKey.sweeping, batch: 0, [])
        try writes { () throws(RocksError) in
            try database.write(batch, isSynced: false)
            try database.flush(StoreFamily.state.rawValue)
        }
    }

    /// Table files and write-ahead logs.
    private func fileNames() throws(StoreError) -> Set<String> {
        Set(try folder.disk.names(in: folder.database).filter { $0.hasSuffix(".sst") || $0.hasSuffix(".log") })
    }

    /// Waits until those of some files have gone that the database does not need any more. RocksDB removes them in threads of
    /// its own.
    private func awaitRemoval(of files: Set<String>) throws(StoreError) {
        let end = folder.disk.milliseconds() + Self.removalMilliseconds
        while true {
            try rocks { () throws(RocksError) in try database.removeObsoleteFiles() }
            let left = try fileNames().intersection(files).subtracting(database.tableNames)
            if left.isEmpty { return }
            guard folder.disk.milliseconds() < end else {
                throw StoreError(
                    .system, path: folder.database,
                    "\(left.sorted().joined(separator: ", ")) are still there after \(Self.removalMilliseconds) ms")
            }
            // A family that was being flushed when the last log began names the one before.
            if left.contains(where: { $0.hasSuffix(".log") }) { try beginLog() }
            usleep(Self.lookMicroseconds)
        }
    }
}
