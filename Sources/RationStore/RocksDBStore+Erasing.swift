internal import RationModel
internal import RationRocksDB
import Synchronization

/// Forgetting a recipient (store.md, "Bounds"): rows are rewritten in place, so that no later one has to be, and then the files
/// that held them as they were are let go.
extension RocksDBStore {
    /// Rows of one slice, between two of which commits go on.
    private static let sliceRows = 256
    /// Bytes of rewritten events that are written at once.
    private static let writtenBytes = 1 << 20

    public func erase(_ erasure: Erasure) throws(StoreError) -> Erased? {
        guard let erased = try eraseRows(erasure) else { return nil }
        // Records of others stand in files of their own, which may have many gigabytes.
        try sweep(StoreFamily.allCases.filter { $0 != .records }, record: erasure.forgetting.key)
        try finish(erasure.forgetting)
        return erased
    }

    /// - Returns: nil when it was not to go on.
    private func eraseRows(_ erasure: Erasure) throws(StoreError) -> Erased? {
        defer { erasures.wrappingAdd(1, ordering: .releasing) }
        guard let events = try eraseEvents(erasure) else { return nil }
        let answers = try rewrite(.answers, erasure) { key, body in
            guard let erased = AnswersRow.erased(body, key: key, erasure.erasedAnswer) else { return 0 }
            body = erased.bytes
            return erased.count
        }
        let named = erasure.named.sorted { $0.position.rawValue < $1.position.rawValue }
        let blocks = try rewrite(.hourContents, erasure) { key, body in
            guard let first = NumberKey.number(key) else { return 0 }
            return Erasure.eraseUnnamed(in: &body, at: ContentPosition(rawValue: first), named) ? 1 : 0
        }
        guard let answers, blocks != nil else { return nil }
        try deleteUnneeded()
        return Erased(events: events, answers: answers)
    }

    /// - Returns: how many were changed; nil when it was not to go on.
    private func eraseEvents(_ erasure: Erasure) throws(StoreError) -> Int? {
        var rows = EventRowReader(database, folder.database)
        let first = range.first
        let last = erasure.forgetting.lastSequence
        guard first <= last else { return 0 }
        try rows.seek(first)
        var batch = RocksBatch(for: database)
        var (changed, bytes) = (0, 0)
        while let row = try rows.nextRow(upTo: last) {
            var body = row.body
            let count = erasure.eraseEvents(&body)
            bytes += body.count
            if count > 0 {
                batch.put(row.first, row.head, body, was: row)
                changed += count
            }
            guard bytes >= Self.writtenBytes else { continue }
            try write(&batch)
            bytes = 0
            guard erasure.goesOn() else { return nil }
        }
        try write(&batch)
        return changed
    }

    /// Rewrites rows of a family that batches up to the erasure's have written, in slices between commits.
    /// - Parameter change: changes a row's body, and says how many things in it.
    /// - Returns: how many things were changed; nil when it was not to go on.
    private func rewrite(
        _ family: StoreFamily, _ erasure: Erasure,
        _ change: (_ key: UnsafeRawBufferPointer, _ body: inout [UInt8]) -> Int
    ) throws(StoreError) -> Int? {
        var changed = 0
        var next: [UInt8]? = []
        while let first = next {
            guard erasure.goesOn() else { return nil }
            // A commit may delete a row that was read, or write another one in its place.
            next = try writing.withLock { (_) throws(StoreError) in
                try rewriteSlice(family, from: first, upTo: erasure.lastBatch, &changed, change)
            }
        }
        return changed
    }

    /// - Returns: where the next slice begins; nil at the end.
    private func rewriteSlice(
        _ family: StoreFamily, from first: [UInt8], upTo last: UInt64, _ changed: inout Int,
        _ change: (_ key: UnsafeRawBufferPointer, _ body: inout [UInt8]) -> Int
    ) throws(StoreError) -> [UInt8]? {
        var rows = database.iterator(family.rawValue)
        var batch = RocksBatch(for: database)
        var isOnRow = try rocks { () throws(RocksError) in try rows.seek(first) }
        var next: [UInt8]?
        var count = 0
        while isOnRow {
            guard count < Self.sliceRows else {
                next = Array(rows.key)
                break
            }
            guard let value = SealedValue(rows.value, key: rows.key) else {
                throw StoreError(
                    .damaged, path: folder.database,
                    "a row of \(family) is not what was committed; nothing of it can be erased")
            }
            var body = Array(value.body)
            if value.batch <= last {
                let count = change(rows.key, &body)
                if count > 0 { batch.putSealed(family, Array(rows.key), batch: value.batch, body) }
                changed += count
            }
            count += 1
            isOnRow = try rocks { () throws(RocksError) in try rows.next() }
        }
        try write(&batch)
        return next
    }

    /// Deletes rows that are needed no more, whose files would go some time.
    private func deleteUnneeded() throws(StoreError) {
        let (link, range) = state.withLock { ($0.link, $0.range) }
        var batch = RocksBatch(for: database)
        let zero = NumberKey.bytes(0)
        for family in [StoreFamily.intents, .outcomes] {
            batch.deleteRange(family.rawValue, zero, NumberKey.bytes(link.firstNeeded))
        }
        batch.deleteRange(
            StoreFamily.batchContents.rawValue, zero, ContentPosition(batch: link.firstNeeded, offset: 0).key)
        batch.deleteRange(StoreFamily.events.rawValue, zero, NumberKey.bytes(range.first))
        try write(&batch)
    }

    /// Writes a batch that need not be on disk before files are flushed.
    private func write(_ batch: inout RocksBatch) throws(StoreError) {
        guard batch.count > 0 else { return }
        try writes { () throws(RocksError) in try database.write(batch, isSynced: false) }
        batch.removeAll()
    }

    /// Does what ends the store when it fails: RocksDB must not be written any more then.
    func writes(_ body: () throws(RocksError) -> Void) throws(StoreError) {
        do throws(RocksError) {
            try body()
        } catch {
            let failed = StoreError(error)
            fail(failed)
            throw failed
        }
    }
}

/// Its end: nothing is left but what says that files may hold some of it, and then not even that.
extension RocksDBStore {
    private func finish(_ forgetting: Forgetting) throws(StoreError) {
        try writing.withLock { (_) throws(StoreError) in
            var batch = RocksBatch(for: database)
            batch.delete(StoreFamily.state.rawValue, StateKey.forgetting(forgetting))
            batch.putSealed(.state, StateKey.sweeping, batch: 0, [])
            try writes { () throws(RocksError) in try database.write(batch, isSynced: true) }
            state.withLock { $0.forgettings.removeAll { $0 == forgetting } }
        }
        try finishSweeping()
    }

    /// Lets go of the files of a forgetting that was finished, if there was one.
    func finishSweeping() throws(StoreError) {
        let isSweeping = try rocks { () throws(RocksError) in
            try database.read(StoreFamily.state.rawValue, StateKey.sweeping) { $0 != nil }
        }
        guard isSweeping else { return }
        try sweep([.state], record: nil)
        var batch = RocksBatch(for: database)
        batch.delete(StoreFamily.state.rawValue, StateKey.sweeping)
        try writes { () throws(RocksError) in try database.write(batch, isSynced: true) }
    }
}

extension EventRowReader {
    /// A row that can be written anew.
    struct Row {
        var first: UInt64
        var head: EventsHead
        /// Its seal, and the batch that wrote it.
        var seal: UInt64
        var batch: UInt64
        var body: [UInt8]
    }

    /// As `next(upTo:)`, with what stands before the events.
    mutating func nextRow(upTo last: UInt64) throws(StoreError) -> Row? {
        try next(upTo: last) { first, value, head in
            Row(first: first, head: head, seal: value.hash, batch: value.batch, body: Array(value.body))
        }
    }
}

extension RocksBatch {
    /// Puts a row of events in which something was erased; what refers to it refers to its first seal.
    fileprivate mutating func put(
        _ first: UInt64, _ head: EventsHead, _ body: [UInt8], was row: EventRowReader.Row
    ) {
        var head = head
        head.committed = head.seal(row.seal)
        let key = NumberKey.bytes(first)
        let sealed = SealedValue.head(key: key, batch: row.batch, fields: head.bytes, body: body)
        put(StoreFamily.events.rawValue, key, head: sealed.bytes, body: body)
    }
}
