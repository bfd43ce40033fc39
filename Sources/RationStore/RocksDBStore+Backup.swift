internal import Glibc
internal import RationModel
internal import RationRocksDB
internal import Synchronization

/// A copy of a store that was made, and checked as one that is opened.
public struct StoreCopy: Sendable, Hashable {
    /// Its folder.
    public var path: String
    /// The event log's name.
    public var log: String
    /// The last batch and the last event that it holds.
    public var batch: UInt64
    public var sequence: UInt64
    /// Of its files.
    public var bytes: UInt64
}

extension RocksDBStore {
    /// Makes a copy of the store as it is now, with the same log's name: hard links where the folder is on the same disk, so
    /// that it takes little time and room. It may be called from any thread, while batches are committed: memtables are
    /// flushed in the background, and what is committed meanwhile may be in the copy or not.
    ///
    /// The copy is opened, to read it only, before this returns.
    /// - Parameter path: a folder that is not there, or is empty.
    /// - Throws: ``StoreError``: nothing is left of the copy then.
    public func backup(to path: String) throws(StoreError) -> StoreCopy {
        try StoreFiles.makeEmpty(path)
        do throws(StoreError) {
            try copy(to: path)
            return try StoreCopy(checking: path, settings)
        } catch {
            for name in ["store", "rocksdb", "rocksdb.tmp", "acknowledged", "unfinished"] {
                StoreFiles.discard(path + "/" + name)
            }
            throw error
        }
    }

    private func copy(to path: String) throws(StoreError) {
        var copy = StoreFolder(making: path, log: log)
        try SmallFile.write([], to: copy.unfinished)
        // The copy has this batch at least.
        let link = state.withLock { $0.link }
        try rocks { () throws(RocksError) in try database.checkpoint(to: copy.database) }
        let manifest = try Manifest(in: copy.database, known: Manifest())
        _ = try AcknowledgedFile(copy.acknowledged, Acknowledged(link, manifest))
        try copy.name(log)
        try copy.finish()
    }
}

extension StoreCopy {
    /// Opens a copy to read it, and checks it as a start does.
    init(checking path: String, _ settings: StoreSettings) throws(StoreError) {
        let folder = try StoreFolder(reading: path)
        let state = try StoreOpening(reading: folder, settings).state()
        self.init(
            path: path, log: folder.log, batch: state.link.batch, sequence: state.link.lastSequence,
            bytes: try StoreFiles.bytes(in: path))
    }
}

extension StoreFolder {
    /// The copy is whole.
    func finish() throws(StoreError) {
        guard unlink(unfinished) == 0 else { throw StoreError(errnoAt: unfinished, "cannot remove it") }
        try SmallFile.syncFolder(path)
    }
}
