public import RationModel
internal import RationRocksDB

/// A store that is only read, and that no broker uses meanwhile: for checks of what it holds.
public final class ReadOnlyStore: KeptState, Sendable {
    public let log: String
    private let stored: StoredRows
    private let state: StoreState

    /// Opens a store, as a start would.
    /// - Throws: ``StoreError``.
    public init(folder path: String, _ settings: StoreSettings = StoreSettings()) throws(StoreError) {
        let folder = try StoreFolder(reading: path)
        log = folder.log
        let opening = try StoreOpening(reading: folder, settings)
        state = try opening.state()
        stored = StoredRows(database: opening.database, path: folder.database)
    }

    public var lastBatch: UInt64 { state.link.batch }
    public var lastNow: Instant { state.link.now }

    public func revisions(of kind: StoredRevision.Kind) -> [StoredRevision] { state.revisions(of: kind) }

    public func recover(
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try stored.recover(to: state.link, record: record, outcomes: outcomes)
    }

    /// The row of what a batch was decided from; nil when there is none.
    public func intents(ofBatch batch: UInt64) throws(StoreError) -> [UInt8]? {
        try stored.sealed(.intents, NumberKey.bytes(batch)) { Array($0.body) }
    }

    /// The bytes in which a batch's contents stand; empty when it has none.
    public func contents(ofBatch batch: UInt64) throws(StoreError) -> [UInt8] {
        var bytes: [UInt8] = []
        var start = ContentPosition(batch: batch, offset: 0)
        while bytes.count < ContentPosition.batchBytes,
            let block = try stored.sealed(.batchContents, start.key, { Array($0.body) })
        {
            bytes += block
            guard block.count == ContentPosition.batchBlockBytes else { break }
            start = start.nextBlockStart
        }
        return bytes
    }

    /// As `Store.content`.
    public func content(at position: ContentPosition, count: Int) throws(StoreError) -> ArraySlice<UInt8> {
        try stored.content(at: position, count: count, block: stored.block)
    }
}
