public import RationModel
internal import RationRocksDB
import Synchronization

/// Reading from any thread. Events that cannot be read are told to who reads them. Any other row that is damaged ends the
/// store, so that nobody takes what is left for all there is.
extension RocksDBStore {
    public func rows(after sequence: UInt64, bytes: Int) throws(StoreError) -> [[UInt8]] {
        // In this order the iterator's view of the database has all rows from `first` to `last`, whatever goes meanwhile.
        let last = range.last
        guard sequence < last else { return [] }
        var reader = EventRowReader(database, folder.database)
        let first = range.first
        var rows: [[UInt8]] = []
        var taken = 0
        try reader.seek(max(sequence + 1, first))
        do throws(StoreError) {
            while let row = try reader.next(upTo: last) {
                rows.append(row)
                taken += row.count
                if taken >= bytes { break }
            }
        } catch {
            // Who reads on behind these rows is told.
            if rows.isEmpty { throw error }
        }
        return rows
    }

    public func answer(to number: UInt64, of publisher: PublisherName) -> StoredAnswer? {
        guard let (chunk, kept) = state.withLock({ $0.publishers[publisher]?.chunk(holding: number) }) else {
            return nil
        }
        let key = StateKey.answers(of: publisher, from: chunk.first)
        let answers = given { () throws(StoreError) in
            try stored.sealed(.answers, key) { AnswersRow.answers($0.body, of: publisher) }
        }
        // A batch that was committed meanwhile may have pushed it out.
        return answers??.suffix(kept).first { $0.number == number }
    }

    public func intents(ofBatch batch: UInt64) -> [UInt8]? {
        let link = state.withLock { $0.link }
        guard batch >= link.firstNeeded, batch <= link.batch else { return nil }
        return given { () throws(StoreError) in
            try stored.sealed(.intents, NumberKey.bytes(batch)) { Array($0.body) }
        } ?? nil
    }

    /// What `body` gives; nil when it fails, which ends the store.
    private func given<Result>(_ body: () throws(StoreError) -> Result) -> Result? {
        do throws(StoreError) {
            return try body()
        } catch {
            fail(error)
            return nil
        }
    }

    public func recover(
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try stored.recover(to: state.withLock { $0.link }, record: record, outcomes: outcomes)
    }

    /// The rows as they are on the disk.
    var stored: StoredRows { StoredRows(database: database, path: folder.database) }
}
