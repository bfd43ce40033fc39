internal import RationModel
internal import RationRocksDB

/// Reads rows of a store that is open, each held against its seal.
struct StoredRows {
    let database: RocksDatabase
    let path: String

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
            throw notCommitted(family)
        }
        return result
    }

    private func notCommitted(_ family: StoreFamily) -> StoreError {
        StoreError(.damaged, path: path, "a row of \(family) is not what was committed")
    }

    /// Gives back the state that a batch left (`Store.recover`).
    func recover(
        to last: BatchLink,
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        do {
            try database.scan(StoreFamily.records.rawValue) { key, value in
                guard let value = SealedValue(value, key: key) else {
                    throw StoreError(
                        .damaged, path: path,
                        "the record of the recipient with the key '\(String(decoding: key, as: UTF8.self))' "
                            + "is not what was committed")
                }
                try record(key, value.batch, value.body)
            }
        } catch let error as RocksError {
            throw StoreError(error)
        }
        var rows = OutcomeRows(database, path, last)
        while let row = try rows.next() { try outcomes(row.batch, row.now, row.bytes) }
    }

    /// A content, out of the blocks that it stands in.
    /// - Parameter block: gives the block that begins at a position.
    /// - Throws: `StoreError.damaged` for one that is not there.
    func content(
        at position: ContentPosition, count: Int, block: (ContentPosition) throws(StoreError) -> [UInt8]
    ) throws(StoreError) -> ArraySlice<UInt8> {
        var start = position.blockStart
        let offset = position.offsetInBlock
        var bytes = try block(start)
        // Of a batch's bytes a content may stand in several blocks.
        while offset + count > bytes.count {
            guard position.hour == nil, bytes.count % ContentPosition.batchBlockBytes == 0 else {
                throw missing(position)
            }
            start = start.nextBlockStart
            bytes += try block(start)
        }
        return bytes[offset..<offset + count]
    }

    /// The block of contents that begins at a position.
    func block(at first: ContentPosition) throws(StoreError) -> [UInt8] {
        let family = first.hour == nil ? StoreFamily.batchContents : .hourContents
        guard let bytes = try sealed(family, first.key, { Array($0.body) }) else { throw missing(first) }
        return bytes
    }

    /// Reads many blocks of contents.
    /// - Parameters:
    ///   - positions: where they begin, rising.
    ///   - block: takes each block's beginning and its bytes, which are lent.
    /// - Throws: `StoreError.damaged` for one that is not there or whose seal is broken; what `block` throws.
    func blocks(
        at positions: [ContentPosition], in family: StoreFamily,
        _ block: (ContentPosition, UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        var fault: StoreError?
        try rocks { () throws(RocksError) in
            try database.read(family.rawValue, keys: positions.flatMap(\.key), keyBytes: 8) { place, value in
                guard fault == nil else { return }
                do throws(StoreError) {
                    try block(positions[place], body(of: value, at: positions[place], family))
                } catch {
                    fault = error
                }
            }
        }
        if let fault { throw fault }
    }

    private func body(
        of value: UnsafeRawBufferPointer?, at position: ContentPosition, _ family: StoreFamily
    ) throws(StoreError) -> UnsafeRawBufferPointer {
        guard let value else { throw missing(position) }
        guard let sealed = position.key.withUnsafeBytes({ SealedValue(value, key: $0) }) else {
            throw notCommitted(family)
        }
        return sealed.body
    }

    func missing(_ position: ContentPosition) -> StoreError {
        let place =
            switch position.place {
            case .batch(let batch, let offset): "batch \(batch), byte \(offset)"
            case .hour(let hour, let block, let offset): "hour \(hour), block \(block), byte \(offset)"
            case .none: "nowhere"
            }
        return StoreError(.damaged, path: path, "the content at \(place) is missing")
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
