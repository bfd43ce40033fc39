public import RationRocksDB

/// Where a store lives: RocksDB's files, and the few operations on files of the store's own beside them. The system's disk, or
/// a test's, which can be taken through crashes.
public protocol StoreDisk: Sendable {
    /// What RocksDB uses in place of the system's; nil: the system's.
    var environment: (any RocksEnvironment)? { get }

    /// Milliseconds since some start; never back.
    func milliseconds() -> Int64

    /// Makes a folder that is not there yet.
    func makeFolder(_ path: String) throws(StoreError)

    /// Makes what was made, renamed or removed in a folder durable.
    func syncFolder(_ path: String) throws(StoreError)

    /// The names in a folder, in any order.
    func names(in folder: String) throws(StoreError) -> [String]

    func isThere(_ path: String) -> Bool

    /// Reads a file's beginning.
    /// - Parameter count: bytes that are read at most.
    /// - Returns: nil for a file that is not there.
    func read(_ path: String, atMost count: Int) throws(StoreError) -> [UInt8]?

    /// How long a file is, in bytes.
    func count(of path: String) throws(StoreError) -> UInt64

    /// Writes a file so that it is there with all of its bytes or not at all; durable once its folder is synced.
    func replace(_ path: String, with bytes: [UInt8]) throws(StoreError)

    /// Opens a file that is overwritten again and again, or makes it.
    func overwritten(_ path: String) throws(StoreError) -> any OverwrittenFile

    /// Bytes that a folder's disk has free for this user, and in all.
    func space(at folder: String) throws(StoreError) -> (free: UInt64, total: UInt64)

    /// Makes a file that takes so many bytes of room.
    /// - Returns: whether there is one now; none where the disk cannot reserve room after all.
    func reserve(_ path: String, bytes: Int) -> Bool

    /// - Returns: whether there was such a file; it is gone.
    func remove(_ path: String) -> Bool
}

/// A small file whose bytes are written anew from its beginning. It closes when it goes.
public protocol OverwrittenFile: Sendable {
    func write(_ bytes: [UInt8]) throws(StoreError)

    /// Makes the bytes durable.
    func sync() throws(StoreError)
}
