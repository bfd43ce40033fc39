internal import CRocksDB

/// Changes that are written all at once; it can be emptied and filled again. One thread uses it.
public struct RocksBatch: ~Copyable {
    let handle: OpaquePointer
    private let database: RocksDatabase

    public init(for database: RocksDatabase) {
        guard let handle = rocksdb_writebatch_create() else { preconditionFailure("RocksDB makes no batch") }
        self.handle = handle
        self.database = database
    }

    deinit {
        rocksdb_writebatch_destroy(handle)
    }

    public mutating func put(_ family: Int, _ key: [UInt8], _ value: [UInt8]) {
        key.withChars { keyBytes in
            value.withChars {
                rocksdb_writebatch_put_cf(handle, database.family(family), keyBytes, key.count, $0, value.count)
            }
        }
    }

    /// Puts a value that is a head and a body, without making one array of them before.
    public mutating func put(_ family: Int, _ key: [UInt8], head: [UInt8], body: [UInt8]) {
        key.withChars { keyBytes in
            head.withChars { headBytes in
                body.withChars { bodyBytes in
                    var keys = [Optional(keyBytes)]
                    var values = [Optional(headBytes), Optional(bodyBytes)]
                    rocksdb_writebatch_putv_cf(
                        handle, database.family(family), 1, &keys, [key.count], 2, &values, [head.count, body.count])
                }
            }
        }
    }

    public mutating func delete(_ family: Int, _ key: [UInt8]) {
        key.withChars { rocksdb_writebatch_delete_cf(handle, database.family(family), $0, key.count) }
    }

    /// Deletes the keys from `first` on up to, and without, `end`.
    public mutating func deleteRange(_ family: Int, _ first: [UInt8], _ end: [UInt8]) {
        first.withChars { firstBytes in
            end.withChars {
                rocksdb_writebatch_delete_range_cf(
                    handle, database.family(family), firstBytes, first.count, $0, end.count)
            }
        }
    }

    /// Empties it; what it has allocated stays.
    public mutating func removeAll() {
        rocksdb_writebatch_clear(handle)
    }

    /// How many changes it holds.
    public var count: Int { Int(rocksdb_writebatch_count(handle)) }
}

extension [UInt8] {
    /// Lends the bytes as C's characters; of an empty array an address that nobody reads.
    func withChars<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return withUnsafePointer(to: 0) { body($0) } }
            return body(start.assumingMemoryBound(to: CChar.self))
        }
    }
}
