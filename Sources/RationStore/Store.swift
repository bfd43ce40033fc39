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
    /// The answers that named publishers get after it.
    public var answers: [StoredAnswer]

    public init(
        batch: UInt64, now: Instant, firstSequence: UInt64, eventCount: Int, events: [UInt8], answers: [StoredAnswer]
    ) {
        self.batch = batch
        self.now = now
        self.firstSequence = firstSequence
        self.eventCount = eventCount
        self.events = events
        self.answers = answers
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

/// How far a store's log is.
public struct LogRange: Sendable, Hashable {
    /// The oldest sequence number kept; one more than `last` when none is.
    public var first: UInt64
    /// The newest sequence number; 0 before the first event.
    public var last: UInt64

    public init(first: UInt64, last: UInt64) {
        self.first = first
        self.last = last
    }
}

/// What the broker keeps, in the order in which it was committed.
///
/// `commit` is called from one thread; everything may be read from any, and shows what is committed only.
public protocol Store: Sendable {
    /// The event log's name: random, new with every log.
    var log: String { get }
    /// The number of the last batch; 0 before the first.
    var lastBatch: UInt64 { get }
    /// The positions that can be read.
    var range: LogRange { get }
    /// How many publishers are known.
    var publisherCount: Int { get }

    /// Writes a batch. When it returns, all of the batch is kept, and is read; when it throws, the outcome is unknown,
    /// and nothing of the batch may be told to anyone.
    func commit(_ commit: consuming Commit) throws

    /// Writes a revision, between two batches: one more than the last of its kind, after the last batch and event. When it
    /// returns, it is kept and read; when it throws, the outcome is unknown.
    func commit(_ revision: StoredRevision) throws

    /// The last revisions of a kind, oldest first; at least the newest if there was one.
    func revisions(of kind: StoredRevision.Kind) -> [StoredRevision]

    /// Forgets publishers that were last seen before an instant.
    func forgetPublishers(silentSince instant: Instant)

    /// A publisher's last committed number; nil for one that is not known.
    func lastNumber(of publisher: PublisherName) -> UInt64?

    /// The kept answer of a publisher's request; nil for one that is not kept (any more).
    func answer(to number: UInt64, of publisher: PublisherName) -> StoredAnswer?

    /// The rows with the events after a position, oldest first.
    /// - Parameters:
    ///   - sequence: events up to it are not wanted; the first row may hold some.
    ///   - bytes: enough rows to reach so many bytes are given; at least one if there is one.
    func rows(after sequence: UInt64, bytes: Int) -> [[UInt8]]
}
