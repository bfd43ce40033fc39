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
            try sealed(.answers, key) { AnswersRow.answers($0.body, of: publisher) }
        }
        // A batch that was committed meanwhile may have pushed it out.
        return answers??.suffix(kept).first { $0.number == number }
    }

    public func intents(ofBatch batch: UInt64) -> [UInt8]? {
        let link = state.withLock { $0.link }
        guard batch >= link.firstNeeded, batch <= link.batch else { return nil }
        return given { () throws(StoreError) in
            try sealed(.intents, NumberKey.bytes(batch)) { Array($0.body) }
        } ?? nil
    }

    /// - Returns: nil for a value that is not there.
    /// - Throws: `StoreError.damaged` for one whose seal is broken or that `body` cannot read.
    func sealed<Result>(
        _ family: StoreFamily, _ key: [UInt8], _ body: (SealedValue) -> Result?
    ) throws(StoreError) -> Result? {
        let read: Result?? = try rocks { () throws(RocksError) in
            try database.read(family.rawValue, key) { value in
                guard let value else { return nil }
                let sealed = key.withUnsafeBytes { SealedValue(value, key: $0) }
                return .some(sealed.flatMap(body))
            }
        }
        guard let read else { return nil }
        guard let result = read else {
            throw StoreError(.damaged, path: folder.database, "a row of \(family) is not what was committed")
        }
        return result
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
        let last = state.withLock { $0.link }
        var records = database.iterator(StoreFamily.records.rawValue)
        var isOnRecord = try rocks { () throws(RocksError) in try records.seekToFirst() }
        while isOnRecord {
            guard let value = SealedValue(records.value, key: records.key) else {
                throw StoreError(
                    .damaged, path: folder.database,
                    "the record of the recipient with the key '\(String(decoding: records.key, as: UTF8.self))' "
                        + "is not what was committed")
            }
            try record(records.key, value.batch, value.body)
            isOnRecord = try rocks { () throws(RocksError) in try records.next() }
        }
        var rows = OutcomeRows(database, folder.database, last)
        while let row = try rows.next() { try outcomes(row.batch, row.now, row.bytes) }
    }
}

/// Walks over the kept rows of outcomes, each held against its link.
private struct OutcomeRows: ~Copyable {
    private let path: String
    private let last: BatchLink
    private var links: RocksIterator
    private var outcomes: RocksIterator
    private var isBeforeFirst = true

    init(_ database: RocksDatabase, _ path: String, _ last: BatchLink) {
        self.path = path
        self.last = last
        links = database.iterator(StoreFamily.links.rawValue)
        outcomes = database.iterator(StoreFamily.outcomes.rawValue)
    }

    /// - Returns: the next row, its bytes valid until the next call; nil at the end.
    mutating func next() throws(StoreError) -> (batch: UInt64, now: Instant, bytes: UnsafeRawBufferPointer)? {
        while try moveLink() {
            guard let link = BatchLink(links.value) else {
                throw StoreError(.damaged, path: path, "a link of the chain of batches is not what was committed")
            }
            guard link.batch <= last.batch else { return nil }
            if link.outcomesHash != 0 { return (link.batch, link.now, try row(of: link)) }
        }
        return nil
    }

    private mutating func moveLink() throws(StoreError) -> Bool {
        let isFirst = isBeforeFirst
        isBeforeFirst = false
        do throws(RocksError) {
            return isFirst ? try links.seek(NumberKey.bytes(max(last.firstNeeded, 1))) : try links.next()
        } catch {
            throw StoreError(error)
        }
    }

    private mutating func row(of link: BatchLink) throws(StoreError) -> UnsafeRawBufferPointer {
        let key = NumberKey.bytes(link.batch)
        let isThere: Bool
        do throws(RocksError) {
            isThere = try outcomes.seek(key)
        } catch {
            throw StoreError(error)
        }
        guard isThere, outcomes.key.elementsEqual(key) else {
            throw StoreError(.damaged, path: path, "batch \(link.batch) is damaged: its row of outcomes is missing")
        }
        guard let value = SealedValue(outcomes.value, key: outcomes.key), value.hash == link.outcomesHash else {
            throw StoreError(
                .damaged, path: path,
                "batch \(link.batch) is damaged: its row of outcomes, \(outcomes.value.count) bytes, is not what was committed"
            )
        }
        return value.body
    }
}
