public import RationModel

/// The core's state, as it is kept and made again (store.md): what each batch has changed, and recipients as a whole. Making
/// it again decides nothing.
extension Core {
    /// Lends what the last batch has changed: empty when it changed nothing. Its contents stand in the batch's bytes.
    public func withChanges<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(planner.journal.bytes.elements))
    }

    /// The first batch that the records of recipients do not all have yet: what earlier ones have changed is needed no more.
    public var firstNeededBatch: UInt64 { changed.oldestBatch ?? batch + 1 }

    /// How many recipients have changed since their record was last taken.
    public var changedRecipients: Int { changed.count }

    mutating func markChanged(_ row: Int) {
        let recipient = table.recipient(row)
        guard !recipient.pointee.isChanged else { return }
        recipient.pointee.isChanged = true
        changed.add(row, batch: batch)
    }

    /// Takes the records of recipients that have changed, those that did so first: each is the whole recipient as of the last
    /// batch.
    /// - Parameters:
    ///   - limit: bytes after which no further one is begun.
    ///   - take: gets a recipient's key and its record.
    public mutating func takeRecords(
        bytes limit: Int, _ take: (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        var taken = 0
        while taken < limit, let row = changed.takeFirst() {
            let recipient = table.recipient(row)
            recipient.pointee.isChanged = false
            try withRecord(row, take)
            taken += recorder.bytes.count
        }
    }

    /// Lends the record of a recipient.
    mutating func withRecord<Result>(
        _ row: Int, _ body: (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        let recipient = table.recipient(row)
        recorder.bytes.removeAll()
        recorder.putImage(recipient.pointee)
        return try body(recipient.pointee.key, UnsafeRawBufferPointer(recorder.bytes.elements))
    }

    /// Makes a recipient of its record.
    /// - Throws: `StateFault`; the core is then unusable.
    public mutating func restore(record: UnsafeRawBufferPointer) throws(StateFault) {
        var reader = StateReader(record)
        _ = try applyOne(&reader, UnsafeRawBufferPointer.none) { _ in false }
        guard reader.isAtEnd else { throw reader.fault("a record goes on behind its end") }
    }

    /// Applies what a batch has changed to the state before it.
    /// - Parameters:
    ///   - changes: as ``withChanges(_:)`` lent it.
    ///   - number: the batch's.
    ///   - now: the batch's instant.
    ///   - bytes: those of the batch's intents.
    ///   - isTrue: whether a recipient, named by its key, has this batch in it already: then it is left as it is.
    /// - Throws: `StateFault`; the core is then unusable.
    public mutating func apply(
        changes: UnsafeRawBufferPointer, ofBatch number: UInt64, at now: Instant, bytes: UnsafeRawBufferPointer,
        except isTrue: (UnsafeRawBufferPointer) -> Bool
    ) throws(StateFault) {
        var reader = StateReader(changes)
        self.now = max(self.now, now)
        batch = number
        while !reader.isAtEnd {
            if let row = try applyOne(&reader, bytes, except: isTrue) { markChanged(row) }
        }
    }

    /// - Returns: the recipient's row; nil if it was left as it is.
    private mutating func applyOne(
        _ reader: inout StateReader, _ bytes: UnsafeRawBufferPointer, except isTrue: (UnsafeRawBufferPointer) -> Bool
    ) throws(StateFault) -> Int? {
        let length = Int(try reader.number(UInt32.self))
        var part = StateReader(try reader.view(length))
        let key = try part.countedView()
        let appCount = Int(try part.number(UInt16.self))
        guard appCount < key.count, key[appCount] == 0 else { throw part.fault("a recipient without a name") }
        if isTrue(key) { return nil }
        let hash = table.hash(key)
        let row = table.row(key, hash: hash) ?? table.insert(key, appCount: appCount, hash: hash, revision: 0)
        try planner.apply(&part, batch: bytes, to: &table.recipient(row).pointee)
        guard part.isAtEnd else { throw part.fault("a recipient's part goes on behind its end") }
        return row
    }

    /// The numbers of earlier revisions than a given one under which recipients are planned, ascending.
    public func earlierRevisions(than revision: UInt32) -> [UInt32] {
        var numbers: Set<UInt32> = []
        for row in 0..<table.count {
            let number = table.recipient(row).pointee.revision
            if number != revision { numbers.insert(number) }
        }
        return numbers.sorted()
    }

    /// Ends making the state again: from now on it can decide, under the policy and the zones that it was made with.
    /// - Parameters:
    ///   - earlier: the policies of earlier revisions, by number, as far as recipients are planned under them.
    ///   - now: the last batch's instant.
    public mutating func finishRestoring(earlier: [UInt32: CompiledPolicy], now: Instant) {
        self.now = max(self.now, now)
        planner.restore(earlier: earlier)
        replanBacklog = 0
        replanRow = 0
        for row in 0..<table.count {
            let recipient = table.recipient(row)
            planner.restore(&recipient.pointee)
            if recipient.pointee.revision != planner.revision { replanBacklog += 1 }
            wakes.set(UInt32(truncatingIfNeeded: row), to: recipient.pointee.wake)
        }
        if replanBacklog == 0 { planner.forgetEarlierPolicies() }
    }

    /// The number of the revision in force.
    public var revision: UInt32 { planner.revision }
}
