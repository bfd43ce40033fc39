public import RationModel

/// What a batch writes, all at once (store.md, "A commit").
public struct Commit: Sendable {
    /// The batch's number, one more than the last.
    public var batch: UInt64
    /// The batch's instant.
    public var now: Instant
    /// The sequence number of its first event, one more than the last.
    public var firstSequence: UInt64
    public var eventCount: Int
    /// The events as a row of the log (`EventRow`); empty when there are none.
    public var events: [UInt8]
    /// The answers that named publishers get after it; of one publisher the numbers rise.
    public var answers: [StoredAnswer]
    /// The batch's requests as a row, opaque to the store; empty for none.
    public var intents: [UInt8]
    /// The bytes in which the batch's contents stand, named by their offset; fewer than `ContentPosition.batchBytes`.
    public var contents: [UInt8]
    /// What the batch changed, as a row that `Store.recover` gives back, opaque to the store; empty when nothing changed.
    public var outcomes: [UInt8]
    /// Recipients as they are after this batch: the background checkpoint's share that is written with it.
    public var records: [StoredRecord]
    /// Contents that the records name in their hour's blocks instead of where they stood.
    public var moves: [ContentMove]
    /// Hours whose blocks nothing names any more, after the batch and its moves.
    public var emptyHours: [UInt32]
    /// Rows of intents, contents and outcomes of batches below it are needed no more. It never falls, and a smaller one
    /// than before changes nothing.
    public var firstNeededBatch: UInt64

    public init(
        batch: UInt64, now: Instant, firstSequence: UInt64, eventCount: Int, events: [UInt8], answers: [StoredAnswer],
        intents: [UInt8] = [], contents: [UInt8] = [], outcomes: [UInt8] = [], records: [StoredRecord] = [],
        moves: [ContentMove] = [], emptyHours: [UInt32] = [], firstNeededBatch: UInt64 = 0
    ) {
        self.batch = batch
        self.now = now
        self.firstSequence = firstSequence
        self.eventCount = eventCount
        self.events = events
        self.answers = answers
        self.intents = intents
        self.contents = contents
        self.outcomes = outcomes
        self.records = records
        self.moves = moves
        self.emptyHours = emptyHours
        self.firstNeededBatch = firstNeededBatch
    }
}

extension Commit {
    /// Bytes of the rows that the batch itself makes, without what the checkpoint writes along.
    var rowBytes: Int { intents.count + contents.count + outcomes.count + events.count }
}

/// A recipient as it is after a batch, opaque to the store.
public struct StoredRecord: Sendable, Hashable {
    public var key: [UInt8]
    /// Empty: the recipient is forgotten.
    public var bytes: [UInt8]

    public init(key: [UInt8], bytes: [UInt8]) {
        self.key = key
        self.bytes = bytes
    }
}

/// The answer to a numbered request that used up its number; given again when the request comes again.
public struct StoredAnswer: Sendable, Hashable {
    public var publisher: PublisherName
    public var number: UInt64
    /// Of the request's body.
    public var bodyHash: UInt64
    /// Whether the request was refused as a whole.
    public var isRefusal: Bool
    /// The answer's body.
    public var body: [UInt8]

    public init(publisher: PublisherName, number: UInt64, bodyHash: UInt64, isRefusal: Bool, body: [UInt8]) {
        self.publisher = publisher
        self.number = number
        self.bodyHash = bodyHash
        self.isRefusal = isRefusal
        self.body = body
    }
}
