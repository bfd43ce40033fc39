import RationModel
import RationStore

/// A store with a planted fault.
///
/// `@unchecked Sendable`: a simulation uses it from one thread.
final class FaultyStore: Store, @unchecked Sendable {
    private let inner: RocksDBStore
    private let fault: PlantedFault
    /// Whether this process found a log that another one has begun.
    private let isLater: Bool
    /// The last number of each publisher since this process began.
    private var numbers: [PublisherName: UInt64] = [:]
    private var heldBack: [StoredRecord] = []
    private var lastAnswer: StoredAnswer?

    init(_ inner: RocksDBStore, _ fault: PlantedFault) {
        self.inner = inner
        self.fault = fault
        isLater = inner.lastBatch > 0
    }

    var log: String { inner.log }
    var lastBatch: UInt64 { inner.lastBatch }
    var hasRoom: Bool { inner.hasRoom }
    var failure: (any Error)? { inner.failure }
    var publisherCount: Int { inner.publisherCount }
    var lastNow: Instant { fault == .goesBackInTime ? .distantPast : inner.lastNow }

    var range: LogRange {
        let range = inner.range
        guard fault == .dropsNewestRow, lastBatch % 8 == 7 else { return range }
        return LogRange(first: range.last + 1, last: range.last)
    }

    func commit(_ commit: consuming Commit) throws {
        var commit = commit
        switch fault {
        case .trimsTooEarly: commit.firstNeededBatch += 2
        case .tearsCheckpoint:
            (commit.records, heldBack) = (heldBack, commit.records)
            (commit.moves, commit.emptyHours) = ([], [])
        case .keepsAnotherAnswer:
            let kept = commit.answers
            for (place, answer) in kept.enumerated() {
                if let lastAnswer { commit.answers[place].body = lastAnswer.body }
                lastAnswer = answer
            }
        default: break
        }
        let answers = commit.answers
        try inner.commit(commit)
        for answer in answers { numbers[answer.publisher] = answer.number }
    }

    func commit(_ revision: StoredRevision) throws { try inner.commit(revision) }

    func revisions(of kind: StoredRevision.Kind) -> [StoredRevision] { inner.revisions(of: kind) }

    func publisherCount(seenSince instant: Instant) -> Int { inner.publisherCount(seenSince: instant) }

    func lastNumber(of publisher: PublisherName) -> UInt64? {
        fault == .losesWindow && isLater ? numbers[publisher] : inner.lastNumber(of: publisher)
    }

    func answer(to number: UInt64, of publisher: PublisherName) -> StoredAnswer? {
        inner.answer(to: number, of: publisher)
    }

    func position(before instant: Instant) throws(StoreError) -> UInt64 { try inner.position(before: instant) }

    func logFigures() throws(StoreError) -> LogFigures { try inner.logFigures() }

    func backup(to path: String) throws(StoreError) -> StoreCopy { try inner.backup(to: path) }

    func rows(after sequence: UInt64, bytes: Int) throws(StoreError) -> [[UInt8]] {
        var rows = try inner.rows(after: sequence, bytes: bytes)
        switch fault {
        case .skipsRow where rows.count > 2: rows.remove(at: 1)
        case .renumbersEvents where isLater:
            for place in rows.indices where rows[place].count >= 8 {
                let first = rows[place].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) } + 1
                withUnsafeBytes(of: first) { rows[place].replaceSubrange(0..<8, with: $0) }
            }
        default: break
        }
        return rows
    }

    func content(at position: ContentPosition, count: Int) throws -> ArraySlice<UInt8> {
        try inner.content(at: position, count: count)
    }

    func intents(ofBatch batch: UInt64) -> [UInt8]? { inner.intents(ofBatch: batch) }

    func recover(
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try inner.recover(
            record: { key, batch, bytes in
                try record(key, fault == .recordFromTheFuture ? batch + 1 : batch, bytes)
            },
            outcomes: { batch, now, bytes in
                if fault == .skipsOutcome, batch % 5 == 0 { return }
                try outcomes(batch, fault == .goesBackInTime ? .distantPast : now, bytes)
            })
    }
}
