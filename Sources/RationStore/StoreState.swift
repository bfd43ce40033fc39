internal import RationModel

/// What of a durable store is in memory: what the last commit left.
struct StoreState {
    /// The last batch's.
    var link: BatchLink
    var segments: EventSegments
    var publishers: PublisherTable
    /// The last of each kind, oldest first.
    var revisions: [StoredRevision]
    /// Those that are not finished, oldest first.
    var forgettings: [Forgetting]
    var failure: StoreError?

    var range: LogRange {
        LogRange(first: segments.segments.first?.first ?? link.lastSequence + 1, last: link.lastSequence)
    }

    func revisions(of kind: StoredRevision.Kind) -> [StoredRevision] { revisions.filter { $0.kind == kind } }
}

/// What a batch changes, worked out before it is written.
struct BatchChange {
    var link: BatchLink
    /// What stands before the events in their row; nil without events.
    var eventsHead: [UInt8]?
    var intentsHead: [UInt8]
    var outcomesHead: [UInt8]
    var segments: EventSegments.Change?
    var publishers: PublisherTable.Change
    /// One that begins with it.
    var forgetting: Forgetting?

    /// - Parameter flushed: batches below it are in table files.
    init(_ commit: borrowing Commit, after state: StoreState, flushed: UInt64) {
        let last = state.link
        let key = NumberKey.bytes(commit.batch)
        let intents = SealedValue.head(key: key, batch: commit.batch, body: commit.intents)
        let outcomes = SealedValue.head(key: key, batch: commit.batch, body: commit.outcomes)
        (intentsHead, outcomesHead) = (intents.bytes, outcomes.bytes)
        link = last
        link.batch = commit.batch
        link.now = commit.now
        link.previous = last.hash
        link.firstSequence = commit.firstSequence
        link.eventCount = UInt64(commit.eventCount)
        link.intentsHash = commit.intents.isEmpty ? 0 : intents.hash
        link.outcomesHash = commit.outcomes.isEmpty ? 0 : outcomes.hash
        link.firstNeeded = max(last.firstNeeded, min(commit.firstNeededBatch, commit.batch + 1))
        link.firstLink = max(last.firstLink, min(link.firstNeeded, flushed, commit.batch))
        publishers = state.publishers.change(commit.answers, at: commit.now)
        if commit.eventCount > 0 { addEvents(of: commit, after: state) }
        if !commit.forgottenKey.isEmpty {
            forgetting = Forgetting(key: commit.forgottenKey, batch: commit.batch, lastSequence: link.lastSequence)
        }
    }

    private mutating func addEvents(of commit: borrowing Commit, after state: StoreState) {
        let fields = EventsHead(
            now: commit.now, count: UInt64(commit.eventCount), previous: state.link.eventsHash,
            position: state.link.eventsEnd)
        let head = SealedValue.head(
            key: NumberKey.bytes(commit.firstSequence), batch: commit.batch, fields: fields.bytes, body: commit.events)
        eventsHead = head.bytes
        link.eventsHash = head.hash
        link.eventsEnd += UInt64(commit.events.count)
        segments = state.segments.change(
            first: commit.firstSequence, bytes: commit.events.count, now: commit.now, end: state.link.eventsEnd,
            nowBefore: state.link.now)
    }
}

/// The fields before the events of a row.
struct EventsHead {
    static let byteCount = 5 * 8

    var now: Instant
    var count: UInt64
    /// The seal of the row before; 0 for the first.
    var previous: UInt64
    /// Bytes of all rows before.
    var position: UInt64
    /// Of a row in which something was erased, the seal that it had when it was committed; 0 for one as it was committed.
    var committed: UInt64 = 0

    /// The seal that the next row and the last batch refer to.
    /// - Parameter own: the row's.
    func seal(_ own: UInt64) -> UInt64 { committed == 0 ? own : committed }

    init(now: Instant, count: UInt64, previous: UInt64, position: UInt64) {
        self.now = now
        self.count = count
        self.previous = previous
        self.position = position
    }

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(now.milliseconds)
        writer.number(count)
        writer.number(previous)
        writer.number(position)
        writer.number(committed)
        return writer.bytes
    }

    /// - Parameter fields: `byteCount` bytes.
    init(_ fields: UnsafeRawBufferPointer) {
        var reader = FieldReader(fields)
        now = Instant(milliseconds: reader.signedNumber() ?? 0)
        count = reader.number() ?? 0
        previous = reader.number() ?? 0
        position = reader.number() ?? 0
        committed = reader.number() ?? 0
    }
}

extension StoreState {
    mutating func apply(_ change: BatchChange) {
        link = change.link
        if let change = change.segments { segments.apply(change) }
        publishers.apply(change.publishers)
        if let forgetting = change.forgetting { forgettings.append(forgetting) }
    }
}
