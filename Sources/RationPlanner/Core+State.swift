public import RationModel

/// The core's state, as it is kept and made again (store.md): what each batch has changed, and recipients as a whole. Making
/// it again decides nothing.
extension Core {
    /// Lends what the last batch has changed: empty when it changed nothing.
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
    /// batch. What is pending takes its contents along into blocks of the hour in which it is to fire (``contentMoves``).
    /// - Parameters:
    ///   - limit: bytes after which no further one is begun.
    ///   - take: gets a recipient's key and its record.
    public mutating func takeRecords(
        bytes limit: Int, _ take: (_ key: UnsafeRawBufferPointer, _ record: UnsafeRawBufferPointer) throws -> Void
    ) rethrows {
        var taken = 0
        var rows: [Int] = []
        movable.removeAll(keepingCapacity: true)
        while taken < limit, let row = changed.takeFirst() {
            let recipient = table.recipient(row)
            recipient.pointee.isChanged = false
            taken += recipient.pointee.recordBytes + noteMovable(row)
            rows.append(row)
        }
        moveContents()
        for row in rows { try withRecord(row, take) }
    }

    /// The contents that the records taken last name in another place than before.
    public var contentMoves: [ContentMove] { planner.contents.moves }

    /// The hours of whose blocks nothing is named any more, since the last call; ascending.
    public mutating func takeEmptyHours() -> [UInt32] { planner.contents.takeEmptyHours() }

    /// A content that the checkpoint takes along.
    struct MovableContent {
        var fireDate: Instant
        var row: UInt32
        /// Its `StoredContent` in its recipient's bytes.
        var place: ByteRange
    }

    /// Notes the contents of a recipient that do not stand in the hour of their fire date.
    /// - Returns: how many bytes they have.
    private mutating func noteMovable(_ row: Int) -> Int {
        let recipient = table.recipient(row)
        guard recipient.pointee.hasStoredContents else { return 0 }
        var bytes = 0
        for notification in recipient.pointee.pending.elements {
            let place = recipient.pointee.record(notification).content
            guard !place.isEmpty else { continue }
            let content = StoredContent(recipient.pointee.bytes.view(place))
            guard content.position.hour != ContentPosition.hour(of: notification.fireDate) else { continue }
            movable.append(
                MovableContent(
                    fireDate: notification.fireDate, row: UInt32(truncatingIfNeeded: row), place: place))
            bytes += content.count
        }
        return bytes
    }

    /// Finds the noted contents their places: those that are to fire one after the other stand together, so that few blocks
    /// are read when many come due at once.
    private mutating func moveContents() {
        planner.contents.beginMoves()
        movable.sort { ($0.fireDate, $0.row, $0.place.offset) < ($1.fireDate, $1.row, $1.place.offset) }
        for movable in movable {
            let recipient = table.recipient(Int(movable.row))
            let content = StoredContent(recipient.pointee.bytes.view(movable.place))
            let position = planner.contents.move(content, to: ContentPosition.hour(of: movable.fireDate))
            StoredContent.setPosition(
                position, at: Int(movable.place.offset),
                in: UnsafeMutableRawBufferPointer(recipient.pointee.bytes.elements))
        }
    }

    /// Adds a recipient that is not known.
    mutating func insert(_ key: UnsafeRawBufferPointer, appCount: Int, hash: UInt64, revision: UInt32) -> Int {
        let row = table.insert(key, appCount: appCount, hash: hash, revision: revision)
        table.recipient(row).pointee.hasStoredContents = planner.journal.isOn
        return row
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
    /// - Parameter batch: the last that the record has in it.
    /// - Throws: `StateFault`; the core is then unusable.
    public mutating func restore(record: UnsafeRawBufferPointer, batch: UInt64) throws(StateFault) {
        var reader = StateReader(record)
        guard let row = try applyOne(&reader, ofBatch: .max) else { return }
        guard reader.isAtEnd else { throw reader.fault("a record goes on behind its end") }
        recorded.append(contentsOf: repeatElement(0, count: max(0, row + 1 - recorded.count)))
        recorded[row] = batch
    }

    /// Whether the record that a recipient was made of has a batch in it.
    public func isRecorded(_ key: UnsafeRawBufferPointer, batch: UInt64) -> Bool {
        table.row(key, hash: table.hash(key)).map { isRecorded(row: $0, batch: batch) } ?? false
    }

    private func isRecorded(row: Int, batch: UInt64) -> Bool { row < recorded.count && recorded[row] >= batch }

    /// Applies what a batch has changed to the state before it, to recipients whose record does not have it in it.
    /// - Parameters:
    ///   - changes: as ``withChanges(_:)`` lent it.
    ///   - number: the batch's.
    ///   - now: the batch's instant.
    /// - Throws: `StateFault`; the core is then unusable.
    public mutating func apply(
        changes: UnsafeRawBufferPointer, ofBatch number: UInt64, at now: Instant
    ) throws(StateFault) {
        var reader = StateReader(changes)
        self.now = max(self.now, now)
        batch = number
        while !reader.isAtEnd {
            if let row = try applyOne(&reader, ofBatch: number) { markChanged(row) }
        }
    }

    /// - Returns: the recipient's row; nil if it was left as it is.
    private mutating func applyOne(
        _ reader: inout StateReader, ofBatch number: UInt64
    ) throws(StateFault) -> Int? {
        let length = Int(try reader.number(UInt32.self))
        var part = StateReader(try reader.view(length))
        let key = try part.countedView()
        let appCount = Int(try part.number(UInt16.self))
        guard appCount < key.count, key[appCount] == 0 else { throw part.fault("a recipient without a name") }
        let hash = table.hash(key)
        let known = table.row(key, hash: hash)
        if let known, isRecorded(row: known, batch: number) { return nil }
        let row = known ?? insert(key, appCount: appCount, hash: hash, revision: 0)
        try planner.apply(&part, to: &table.recipient(row).pointee)
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
        recorded = []
        replanBacklog = 0
        replanRow = 0
        var counts = HourCounts()
        for row in 0..<table.count {
            let recipient = table.recipient(row)
            planner.restore(&recipient.pointee)
            if recipient.pointee.revision != planner.revision { replanBacklog += 1 }
            wakes.set(UInt32(truncatingIfNeeded: row), to: recipient.pointee.wake)
            countContents(of: recipient.pointee, in: &counts)
        }
        counts.finish(&planner.contents)
        if replanBacklog == 0 { planner.forgetEarlierPolicies() }
    }

    private mutating func countContents(of recipient: borrowing Recipient, in counts: inout HourCounts) {
        guard recipient.hasStoredContents else { return }
        for notification in recipient.pending.elements {
            let content = recipient.bytes.view(recipient.record(notification).content)
            if !content.isEmpty { counts.add(StoredContent(content).position, to: &planner.contents) }
        }
    }

    /// The number of the revision in force.
    public var revision: UInt32 { planner.revision }
}

extension Recipient {
    /// About how long its record is.
    fileprivate var recordBytes: Int {
        bytes.count - Int(unusedBytes) + pending.count * Journal.entryBytes
            + (remembered.count + history.count) * Journal.entryBytes
    }
}
