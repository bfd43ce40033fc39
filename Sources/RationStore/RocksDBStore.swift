public import RationModel
internal import RationRocksDB
import Synchronization

/// A store on disk (store.md): what `commit` has returned for survives the process, the machine and the power.
///
/// Each batch is one synced write of RocksDB's, and one link of a chain that is checked when the store is opened.
public final class RocksDBStore: Store {
    /// What only the committing thread touches.
    struct Writing: ~Copyable {
        var batch: RocksBatch
        var acknowledged: AcknowledgedFile
        var manifest: Manifest
        var logs: WriteAheadLogs
        /// Bytes that were committed since files were last let go.
        var bytesSinceTrim = 0
    }

    public let log: String
    let folder: StoreFolder
    let settings: StoreSettings
    let database: RocksDatabase
    let state: Mutex<StoreState>
    let writing: Mutex<Writing>
    let space: FreeSpace
    let blocks = Mutex(ContentBlocks())
    let erasures = Atomic<UInt64>(0)
    /// ``StoreStatistics/committedBytes``.
    let committedBytes = Atomic<UInt64>(0)

    /// Opens the store in a folder, or makes it with a new log.
    ///
    /// Takes time in proportion to the write-ahead logs (``StoreSettings/logBytes``), not to what is kept.
    /// - Throws: ``StoreError``: `damaged` with what is damaged and how, `format`, `locked`, `noSpace`, `readOnly`, `system`.
    public convenience init(folder: String, _ settings: StoreSettings = StoreSettings()) throws {
        try self.init(folder: folder, settings, newLog: StoreFolder.randomLog)
    }

    init(folder path: String, _ settings: StoreSettings, newLog: () -> String) throws(StoreError) {
        folder = try StoreFolder(path, on: settings.disk, newLog: newLog)
        log = folder.log
        self.settings = settings
        space = FreeSpace(folder, settings)
        let opening = try StoreOpening(folder, settings, space)
        database = opening.database
        let state = try opening.state()
        self.state = Mutex(state)
        let manifest = try Manifest(in: folder.database, known: Manifest(), on: folder.disk)
        let acknowledged = try AcknowledgedFile(
            folder.acknowledged, Acknowledged(state.link, manifest), on: folder.disk)
        try folder.disk.syncFolder(path)
        writing = Mutex(
            Writing(
                batch: RocksBatch(for: opening.database), acknowledged: acknowledged, manifest: manifest,
                logs: WriteAheadLogs(folder.database, flushed: state.link.firstLink, on: folder.disk)))
        try finishSweeping()
        // Makes the ballast of a new store.
        _ = try space.hasRoom()
    }

    public var lastBatch: UInt64 { state.withLock { $0.link.batch } }

    public var lastNow: Instant { state.withLock { $0.link.now } }

    public var range: LogRange { state.withLock { $0.range } }

    public var publisherCount: Int { state.withLock { $0.publishers.count } }

    public func publisherCount(seenSince instant: Instant) -> Int {
        state.withLock { $0.publishers.count(seenSince: instant) }
    }

    public func lastNumber(of publisher: PublisherName) -> UInt64? {
        state.withLock { $0.publishers[publisher]?.last }
    }

    public func revisions(of kind: StoredRevision.Kind) -> [StoredRevision] {
        state.withLock { $0.revisions(of: kind) }
    }

    public var erasureCount: UInt64 { erasures.load(ordering: .acquiring) }

    public var forgettings: [Forgetting] { state.withLock { $0.forgettings } }

    public var failure: (any Error)? { state.withLock { $0.failure } }

    public var hasRoom: Bool {
        do throws(StoreError) {
            return try space.hasRoom()
        } catch {
            fail(error)
            return false
        }
    }

    /// Ends the store: the first failure is the one that is told.
    func fail(_ error: StoreError) {
        state.withLock { $0.failure = $0.failure ?? error }
    }
}

/// Calls RocksDB.
func rocks<Result>(_ body: () throws(RocksError) -> Result) throws(StoreError) -> Result {
    do throws(RocksError) {
        return try body()
    } catch {
        throw StoreError(error)
    }
}
