internal import CRocksDB

/// Making bytes leave the disk that nothing names any more.
extension RocksDatabase {
    /// Writes a family's memtable to a file, merges the files that hold keys of a range, and waits for it: of each key the
    /// newest value is left, and nothing of one that was deleted. Other compactions may go on meanwhile. RocksDB's C interface
    /// tells no failure of it: `rocksdb.background-errors` counts them.
    /// - Parameters:
    ///   - first: the range's first key; nil: from the first of all.
    ///   - last: its last key; nil: to the last of all.
    public func compact(_ family: Int, from first: [UInt8]? = nil, upTo last: [UInt8]? = nil) {
        let options = rocksdb_compactoptions_create()
        defer { rocksdb_compactoptions_destroy(options) }
        rocksdb_compactoptions_set_exclusive_manual_compaction(options, 0)
        func range(_ first: UnsafePointer<CChar>?, _ last: UnsafePointer<CChar>?, _ counts: (Int, Int)) {
            rocksdb_compact_range_cf_opt(handle, self.family(family), options, first, counts.0, last, counts.1)
        }
        guard let first, let last else { return range(nil, nil, (0, 0)) }
        first.withChars { firstBytes in
            last.withChars { range(firstBytes, $0, (first.count, last.count)) }
        }
    }

    /// Removes files that are needed no more and whose removal was put off.
    public func removeObsoleteFiles() throws(RocksError) {
        try RocksError.check(folder) { rocksdb_disable_file_deletions(handle, $0) }
        // Also looks for them.
        try RocksError.check(folder) { rocksdb_enable_file_deletions(handle, 0, $0) }
    }

    /// The names of the table files that hold what the database has now.
    public var tableNames: [String] {
        let files = rocksdb_livefiles(handle)
        defer { rocksdb_livefiles_destroy(files) }
        return (0..<rocksdb_livefiles_count(files)).map { place in
            // RocksDB puts a slash before them.
            String(String(cString: rocksdb_livefiles_name(files, place)).drop { $0 == "/" })
        }
    }
}
