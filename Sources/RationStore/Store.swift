public import RationModel

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

/// What a state is made again of.
public protocol KeptState {
    /// The last batch's instant; `distantPast` before the first.
    var lastNow: Instant { get }

    /// The last revisions of a kind, oldest first; at least the newest if there was one.
    func revisions(of kind: StoredRevision.Kind) -> [StoredRevision]

    /// Gives back the state that the last commit left, for one who starts: all records first, then the rows of outcomes
    /// that are kept, oldest first. The bytes are lent for the call. To be called before the first commit.
    /// - Parameters:
    ///   - record: takes a record's key, the batch up to which it is true, and its bytes. Keys come in the order of their
    ///     bytes.
    ///   - outcomes: takes a batch's number, its instant and its row.
    /// - Throws: what tells exactly which record or row is damaged; what the closures throw.
    func recover(
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws
}

/// What the broker keeps, in the order in which it was committed.
///
/// `commit` is called from one thread; everything may be read from any, and shows what is committed only.
public protocol Store: KeptState, Sendable {
    /// The event log's name: random, new with every log.
    var log: String { get }
    /// The number of the last batch; 0 before the first.
    var lastBatch: UInt64 { get }
    /// The positions that can be read.
    var range: LogRange { get }
    /// How many publishers are known.
    var publisherCount: Int { get }
    /// Whether there is room for more. Cheap: to be asked before every batch. While there is none, intents are answered
    /// `full`; what comes due may still be committed.
    var hasRoom: Bool { get }
    /// What ended this store: a commit that failed, or a row that was read and found damaged. Every later commit throws it,
    /// and what is read is incomplete: the process has to tell it and to end. Nil while the store is sound.
    var failure: (any Error)? { get }

    /// Writes a batch. When it returns, all of the batch is kept, and is read; when it throws, the outcome is unknown,
    /// nothing of the batch may be told to anyone, and every later commit throws.
    ///
    /// A publisher that is new with it makes those go that were last seen more than 30 days before the batch's instant.
    func commit(_ commit: consuming Commit) throws

    /// Writes a revision, between two batches: one more than the last of its kind, after the last batch and event. When it
    /// returns, it is kept and read; when it throws, the outcome is unknown.
    func commit(_ revision: StoredRevision) throws

    /// How many publishers would stay if those that were last seen before an instant were forgotten.
    func publisherCount(seenSince instant: Instant) -> Int

    /// A publisher's last committed number; nil for one that is not known.
    func lastNumber(of publisher: PublisherName) -> UInt64?

    /// The kept answer of a publisher's request; nil for one that is not kept (any more).
    func answer(to number: UInt64, of publisher: PublisherName) -> StoredAnswer?

    /// The rows with the events after a position, oldest first.
    /// - Parameters:
    ///   - sequence: events up to it are not wanted; the first row may hold some.
    ///   - bytes: enough rows to reach so many bytes are given; at least one if there is one. Fewer are given before one that
    ///     cannot be read.
    /// - Throws: `damaged` with the events that cannot be read, when the first row is one of them: the store goes on, since
    ///   what is decided now needs no old events.
    func rows(after sequence: UInt64, bytes: Int) throws(StoreError) -> [[UInt8]]

    /// The position before the first event of a time or later: the last event of before it, one less than the oldest kept
    /// when all are later. Reads some rows, in proportion to the logarithm of a stretch of the log; those that cannot be read
    /// count as later.
    /// - Throws: what the disk throws.
    func position(before instant: Instant) throws(StoreError) -> UInt64

    /// What of the event log is kept.
    /// - Throws: as `rows(after:bytes:)`.
    func logFigures() throws(StoreError) -> LogFigures

    /// The row of a batch's requests; nil when there was none, or it is kept no more.
    func intents(ofBatch batch: UInt64) -> [UInt8]?

    /// A content that the last commit left.
    /// - Parameters:
    ///   - position: one that something pending after that commit names.
    ///   - count: its bytes.
    /// - Throws: what tells that it is damaged or missing.
    func content(at position: ContentPosition, count: Int) throws -> ArraySlice<UInt8>

    /// Recipients that are being forgotten, in the order in which that began: each until it has been erased.
    var forgettings: [Forgetting] { get }

    /// Erases what is kept of a recipient that is being forgotten, up to the end, when its files hold nothing of it either:
    /// in events its texts, all texts in answers, what no content that is pending stands in, and rows that are needed no more.
    /// From any thread but by one at a time, while batches are committed; it may be repeated.
    /// - Returns: nil when it was not to go on; then it is to be begun again.
    /// - Throws: `damaged` with what cannot be read; what the disk throws.
    func erase(_ erasure: Erasure) throws(StoreError) -> Erased?

    /// How often events were overwritten: rows that were read before are not what is kept.
    var erasureCount: UInt64 { get }

    /// Makes a copy of all that is committed, in a folder that is not there or is empty; from any thread.
    func backup(to path: String) throws(StoreError) -> StoreCopy
}

extension Store {
    /// A content that the last commit left or that a batch brings which is about to be committed.
    /// - Throws: what tells that it is damaged or missing.
    public func content(
        at position: ContentPosition, count: Int, before commit: borrowing Commit
    ) throws -> ArraySlice<UInt8> {
        guard case .batch(commit.batch, let offset) = position.place else {
            return try content(at: position, count: count)
        }
        precondition(offset + count <= commit.contents.count, "a content behind the end of batch \(commit.batch)")
        return commit.contents[offset..<offset + count]
    }

    public func backup(to path: String) throws(StoreError) -> StoreCopy {
        throw StoreError(.system, path: path, "this broker keeps its store in memory: there are no files to copy")
    }

    public var forgettings: [Forgetting] { [] }

    public var erasureCount: UInt64 { 0 }

    public func erase(_ erasure: Erasure) throws(StoreError) -> Erased? {
        throw StoreError(.system, path: "", "this store erases nothing")
    }

    /// Traps when a batch does not follow the last one: a fault of the broker's, found before anything is written.
    func requireOrder(_ commit: borrowing Commit, lastBatch: UInt64, lastSequence: UInt64) {
        precondition(
            commit.batch == lastBatch + 1 && commit.firstSequence == lastSequence + 1,
            "batch \(commit.batch) with sequence \(commit.firstSequence) after batch \(lastBatch) "
                + "with sequence \(lastSequence)")
    }

    /// Traps when a revision does not follow the last one of its kind, the last batch and the last event.
    func requireOrder(_ revision: StoredRevision, last: UInt64, lastBatch: UInt64, lastSequence: UInt64) {
        precondition(
            revision.number == last + 1 && revision.batch == lastBatch && revision.sequence == lastSequence,
            "\(revision.kind) revision \(revision.number) at batch \(revision.batch), sequence \(revision.sequence) "
                + "after revision \(last), batch \(lastBatch), sequence \(lastSequence)")
    }
}
