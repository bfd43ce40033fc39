public import RationModel
import Synchronization

/// A store in memory: what it keeps ends with the process, and so does its log's name.
public final class MemoryStore: Store {
    private struct Row {
        var firstSequence: UInt64
        var bytes: [UInt8]
    }

    fileprivate struct Publisher {
        var last: UInt64 = 0
        var seenAt = Instant.distantPast
        /// The answers to the last numbers, oldest first; as many as a publisher's window.
        var answers: [StoredAnswer] = []
    }

    private struct State {
        var lastBatch: UInt64 = 0
        var lastSequence: UInt64 = 0
        /// Rows before `firstRow` have been let go.
        var rows: [Row] = []
        var firstRow = 0
        var rowBytes = 0
        var publishers: [PublisherName: Publisher] = [:]
        var oldestSeenAt = Instant.distantFuture
        /// Oldest first, of either kind.
        var revisions: [StoredRevision] = []
    }

    /// Revisions of one kind that are kept: a policy may have megabytes.
    public static let revisionLimit = 16

    public let log: String
    private let retentionBytes: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - log: the log's name.
    ///   - retentionBytes: bytes of events that are kept; the newest row is kept whatever its size.
    public init(log: String, retentionBytes: Int) {
        self.log = log
        self.retentionBytes = retentionBytes
    }

    public var lastBatch: UInt64 { state.withLock { $0.lastBatch } }

    public var range: LogRange {
        state.withLock { state in
            let first = state.firstRow < state.rows.count ? state.rows[state.firstRow].firstSequence : nil
            return LogRange(first: first ?? state.lastSequence + 1, last: state.lastSequence)
        }
    }

    public var publisherCount: Int { state.withLock { $0.publishers.count } }

    public func commit(_ commit: consuming Commit) throws {
        let commit = commit
        state.withLock { state in
            precondition(
                commit.batch == state.lastBatch + 1 && commit.firstSequence == state.lastSequence + 1,
                "batch \(commit.batch) with sequence \(commit.firstSequence) after batch \(state.lastBatch) "
                    + "with sequence \(state.lastSequence)")
            state.lastBatch = commit.batch
            if commit.eventCount > 0 {
                state.lastSequence += UInt64(commit.eventCount)
                state.rowBytes += commit.events.count
                state.rows.append(Row(firstSequence: commit.firstSequence, bytes: commit.events))
                trim(&state)
            }
            for answer in commit.answers { Self.keep(answer, at: commit.now, &state) }
        }
    }

    public func commit(_ revision: StoredRevision) throws {
        state.withLock { state in
            let ofKind = state.revisions.filter { $0.kind == revision.kind }
            let last = ofKind.last?.number ?? 0
            precondition(
                revision.number == last + 1 && revision.batch == state.lastBatch
                    && revision.sequence == state.lastSequence,
                "\(revision.kind) revision \(revision.number) at batch \(revision.batch), sequence \(revision.sequence) "
                    + "after revision \(last), batch \(state.lastBatch), sequence \(state.lastSequence)")
            if ofKind.count >= Self.revisionLimit {
                state.revisions.removeAll { $0.kind == revision.kind && $0.number == ofKind[0].number }
            }
            state.revisions.append(revision)
        }
    }

    public func revisions(of kind: StoredRevision.Kind) -> [StoredRevision] {
        state.withLock { $0.revisions.filter { $0.kind == kind } }
    }

    /// Lets go of the oldest rows beyond the retention.
    private func trim(_ state: inout State) {
        while state.rowBytes > retentionBytes, state.firstRow < state.rows.count - 1 {
            state.rowBytes -= state.rows[state.firstRow].bytes.count
            state.rows[state.firstRow].bytes = []
            state.firstRow += 1
        }
        if state.firstRow > 1024, state.firstRow * 2 > state.rows.count {
            state.rows.removeFirst(state.firstRow)
            state.firstRow = 0
        }
    }

    private static func keep(_ answer: StoredAnswer, at now: Instant, _ state: inout State) {
        if state.publishers[answer.publisher] == nil {
            forget(silentSince: now.advanced(by: -Limits.publisherIdleMilliseconds), &state)
        }
        state.publishers[answer.publisher, default: Publisher()].keep(answer, at: now)
        state.oldestSeenAt = min(state.oldestSeenAt, now)
    }

    private static func forget(silentSince instant: Instant, _ state: inout State) {
        guard state.oldestSeenAt < instant else { return }
        state.publishers = state.publishers.filter { $0.value.seenAt >= instant }
        state.oldestSeenAt = state.publishers.values.reduce(.distantFuture) { min($0, $1.seenAt) }
    }

    public func forgetPublishers(silentSince instant: Instant) {
        state.withLock { Self.forget(silentSince: instant, &$0) }
    }

    public func lastNumber(of publisher: PublisherName) -> UInt64? {
        state.withLock { $0.publishers[publisher]?.last }
    }

    public func answer(to number: UInt64, of publisher: PublisherName) -> StoredAnswer? {
        state.withLock { $0.publishers[publisher]?.answers.first { $0.number == number } }
    }

    public func rows(after sequence: UInt64, bytes: Int) -> [[UInt8]] {
        state.withLock { state in
            guard sequence < state.lastSequence else { return [] }
            // The last row that starts at or before the wanted event, or the oldest kept.
            var low = state.firstRow
            var high = state.rows.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if state.rows[middle].firstSequence <= sequence + 1 { low = middle } else { high = middle }
            }
            var rows: [[UInt8]] = []
            var taken = 0
            while low < state.rows.count, taken < bytes || rows.isEmpty {
                rows.append(state.rows[low].bytes)
                taken += state.rows[low].bytes.count
                low += 1
            }
            return rows
        }
    }
}

extension MemoryStore.Publisher {
    fileprivate mutating func keep(_ answer: StoredAnswer, at now: Instant) {
        last = answer.number
        seenAt = now
        if answers.count == Limits.publisherWindow { answers.removeFirst() }
        answers.append(answer)
    }
}
