internal import CRocksDB

extension RocksDatabase {
    /// Reads one key.
    /// - Parameter body: takes the value, lent without a copy; nil when the key is not there.
    public func read<Result>(
        _ family: Int, _ key: [UInt8], _ body: (UnsafeRawBufferPointer?) -> Result
    ) throws(RocksError) -> Result {
        let slice = try RocksError.check(folder) { status in
            key.withChars { rocksdb_get_pinned_cf(handle, reading, self.family(family), $0, key.count, status) }
        }
        guard let slice else { return body(nil) }
        defer { rocksdb_pinnableslice_destroy(slice) }
        var count = 0
        let start = rocksdb_pinnableslice_value(slice, &count)
        return body(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Reads many keys at once, which costs less than one after another; what is read is not kept in the cache.
    /// - Parameters:
    ///   - keys: rising, one after another without anything between.
    ///   - keyBytes: how long each is.
    ///   - body: takes a key's place among them and its value, lent without a copy; nil when the key is not there.
    public func read(
        _ family: Int, keys: [UInt8], keyBytes: Int, _ body: (Int, UnsafeRawBufferPointer?) -> Void
    ) throws(RocksError) {
        let count = keys.count / keyBytes
        var values = [OpaquePointer?](repeating: nil, count: count)
        var statuses = [UnsafeMutablePointer<CChar>?](repeating: nil, count: count)
        keys.withChars { first in
            let starts = (0..<count).map { Optional(first + $0 * keyBytes) }
            rocksdb_batched_multi_get_cf(
                handle, scanning, self.family(family), count, starts, [Int](repeating: keyBytes, count: count), &values,
                &statuses, true)
        }
        defer {
            for value in values { value.map(rocksdb_pinnableslice_destroy) }
            for status in statuses { status.map { rocksdb_free($0) } }
        }
        for status in statuses {
            if let status { throw RocksError(folder: folder, status: String(cString: status)) }
        }
        for (place, value) in values.enumerated() {
            guard let value else {
                body(place, nil)
                continue
            }
            var bytes = 0
            let start = rocksdb_pinnableslice_value(value, &bytes)
            body(place, UnsafeRawBufferPointer(start: start, count: bytes))
        }
    }

    /// Walks over a family as it is now, whatever is written meanwhile.
    public func iterator(_ family: Int) -> RocksIterator { RocksIterator(self, family) }
}

/// Walks over the keys of a family in the order of their bytes. It stands nowhere before it has been sought.
public struct RocksIterator: ~Copyable {
    private let handle: OpaquePointer
    private let database: RocksDatabase

    init(_ database: RocksDatabase, _ family: Int) {
        self.init(database, family, database.reading)
    }

    /// One that is to walk over all of a family once.
    init(scanning database: RocksDatabase, _ family: Int) {
        self.init(database, family, database.scanning)
    }

    private init(_ database: RocksDatabase, _ family: Int, _ options: OpaquePointer) {
        guard let handle = rocksdb_create_iterator_cf(database.handle, options, database.family(family)) else {
            preconditionFailure("RocksDB makes no iterator")
        }
        self.handle = handle
        self.database = database
    }

    deinit {
        rocksdb_iter_destroy(handle)
    }

    /// Goes to the first key at or after one.
    /// - Returns: whether it stands on a key.
    /// - Throws: ``RocksError`` when what would be there cannot be read.
    public mutating func seek(_ key: [UInt8]) throws(RocksError) -> Bool {
        key.withChars { rocksdb_iter_seek(handle, $0, key.count) }
        return try isOnKey()
    }

    /// Goes to the last key at or before one.
    public mutating func seekBack(_ key: [UInt8]) throws(RocksError) -> Bool {
        key.withChars { rocksdb_iter_seek_for_prev(handle, $0, key.count) }
        return try isOnKey()
    }

    public mutating func seekToFirst() throws(RocksError) -> Bool {
        rocksdb_iter_seek_to_first(handle)
        return try isOnKey()
    }

    public mutating func seekToLast() throws(RocksError) -> Bool {
        rocksdb_iter_seek_to_last(handle)
        return try isOnKey()
    }

    /// Goes to the next key; it stands on one now.
    public mutating func next() throws(RocksError) -> Bool {
        rocksdb_iter_next(handle)
        return try isOnKey()
    }

    private func isOnKey() throws(RocksError) -> Bool {
        if rocksdb_iter_valid(handle) != 0 { return true }
        try RocksError.check(database.folder) { rocksdb_iter_get_error(handle, $0) }
        return false
    }

    /// The key that it stands on, valid until it moves.
    public var key: UnsafeRawBufferPointer {
        var count = 0
        let start = rocksdb_iter_key(handle, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }

    /// The value that it stands on, valid until it moves.
    public var value: UnsafeRawBufferPointer {
        var count = 0
        let start = rocksdb_iter_value(handle, &count)
        return UnsafeRawBufferPointer(start: start, count: count)
    }
}
