public import RationModel
import Synchronization

/// A store in memory: what it keeps ends with the process, and so does its log's name.
public final class MemoryStore: Store {
    private struct Row {
        var firstSequence: UInt64
        var now: Instant
        var bytes: [UInt8]
    }

    private struct Record {
        var batch: UInt64
        var bytes: [UInt8]
    }

    /// The rows of a batch that go when they are needed no more.
    private struct Batch {
        var now: Instant
        var intents: [UInt8]
        var outcomes: [UInt8]
        var contents: [UInt8]
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
        var lastNow = Instant.distantPast
        /// Rows before `firstRow` have been let go.
        var rows: [Row] = []
        var firstRow = 0
        var rowBytes = 0
        var publishers: [PublisherName: Publisher] = [:]
        var oldestSeenAt = Instant.distantFuture
        /// Oldest first, of either kind.
        var revisions: [StoredRevision] = []
        var records: [[UInt8]: Record] = [:]
        /// Those from `firstBatch` on that have a row.
        var batches: [UInt64: Batch] = [:]
        var firstBatch: UInt64 = 0
        /// By the position at which they begin; each with the batch that wrote it.
        var blocks: [UInt64: Record] = [:]
        var erasures: UInt64 = 0
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

    public var lastNow: Instant { state.withLock { $0.lastNow } }

    public var hasRoom: Bool { true }

    public var failure: (any Error)? { nil }

    public var range: LogRange { state.withLock { range($0) } }

    private func range(_ state: State) -> LogRange {
        let first = state.firstRow < state.rows.count ? state.rows[state.firstRow].firstSequence : nil
        return LogRange(first: first ?? state.lastSequence + 1, last: state.lastSequence)
    }

    public var publisherCount: Int { state.withLock { $0.publishers.count } }

    public func commit(_ commit: consuming Commit) throws {
        let commit = commit
        var moved = MovedBlocks(commit.moves)
        for piece in moved.pieces {
            let content = try content(at: piece.position, count: piece.range.count, before: commit)
            content.withUnsafeBytes { moved.fill(piece, with: $0) }
        }
        state.withLock { state in
            requireOrder(commit, lastBatch: state.lastBatch, lastSequence: state.lastSequence)
            state.lastBatch = commit.batch
            state.lastNow = commit.now
            if commit.eventCount > 0 {
                state.lastSequence += UInt64(commit.eventCount)
                state.rowBytes += commit.events.count
                state.rows.append(Row(firstSequence: commit.firstSequence, now: commit.now, bytes: commit.events))
                trim(&state)
            }
            Self.keep(commit.answers, at: commit.now, &state)
            Self.keepRows(of: commit, &state)
            let empty = Set(commit.emptyHours)
            if !empty.isEmpty {
                state.blocks = state.blocks.filter { entry in
                    ContentPosition(rawValue: entry.key).hour.map { !empty.contains($0) } ?? true
                }
            }
            for block in moved.blocks {
                state.blocks[block.first.rawValue] = Record(batch: commit.batch, bytes: block.bytes)
            }
        }
    }

    public func commit(_ revision: StoredRevision) throws {
        state.withLock { state in
            let ofKind = state.revisions.filter { $0.kind == revision.kind }
            let last = ofKind.last?.number ?? 0
            requireOrder(
                revision, last: last, lastBatch: state.lastBatch, lastSequence: state.lastSequence)
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

    private static func keep(_ answers: [StoredAnswer], at now: Instant, _ state: inout State) {
        let known = state.publishers.count
        for answer in answers { state.publishers[answer.publisher, default: Publisher()].keep(answer, at: now) }
        if !answers.isEmpty { state.oldestSeenAt = min(state.oldestSeenAt, now) }
        guard state.publishers.count > known else { return }
        forget(silentSince: now.advanced(by: -Limits.publisherIdleMilliseconds), &state)
    }

    private static func forget(silentSince instant: Instant, _ state: inout State) {
        guard state.oldestSeenAt < instant else { return }
        state.publishers = state.publishers.filter { $0.value.seenAt >= instant }
        state.oldestSeenAt = state.publishers.values.reduce(.distantFuture) { min($0, $1.seenAt) }
    }

    private static func keepRows(of commit: borrowing Commit, _ state: inout State) {
        if !commit.intents.isEmpty || !commit.outcomes.isEmpty {
            state.batches[commit.batch] = Batch(
                now: commit.now, intents: commit.intents, outcomes: commit.outcomes, contents: commit.contents)
        }
        for record in commit.records {
            state.records[record.key] = record.bytes.isEmpty ? nil : Record(batch: commit.batch, bytes: record.bytes)
        }
        while state.firstBatch < min(commit.firstNeededBatch, commit.batch + 1) {
            state.batches[state.firstBatch] = nil
            state.firstBatch += 1
        }
    }

    public func publisherCount(seenSince instant: Instant) -> Int {
        state.withLock { state in
            state.oldestSeenAt >= instant
                ? state.publishers.count : state.publishers.values.count { $0.seenAt >= instant }
        }
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

    public func position(before instant: Instant) -> UInt64 {
        state.withLock { state in
            let later = state.rows[state.firstRow...].first { $0.now >= instant }
            return later.map { $0.firstSequence - 1 } ?? state.lastSequence
        }
    }

    public func logFigures() -> LogFigures {
        state.withLock { state in
            let rows = state.rows[state.firstRow...]
            return LogFigures(
                range: range(state), bytes: UInt64(state.rowBytes), oldest: rows.first?.now, newest: rows.last?.now,
                retentionBytes: retentionBytes, retentionMilliseconds: nil)
        }
    }

    public func intents(ofBatch batch: UInt64) -> [UInt8]? {
        state.withLock { state in
            state.batches[batch].flatMap { $0.intents.isEmpty ? nil : $0.intents }
        }
    }

    public func content(at position: ContentPosition, count: Int) throws -> ArraySlice<UInt8> {
        try state.withLock { state in
            let (bytes, offset) =
                switch position.place {
                case .none: ([] as [UInt8], 0)
                case .batch(let batch, let offset): (state.batches[batch]?.contents ?? [], offset)
                case .hour: (state.blocks[position.blockStart.rawValue]?.bytes ?? [], position.offsetInBlock)
                }
            guard offset + count <= bytes.count else {
                throw StoreError(.damaged, path: "memory", "a content of \(count) bytes at \(position) is missing")
            }
            return bytes[offset..<offset + count]
        }
    }

    public func recover(
        record: (_ key: UnsafeRawBufferPointer, _ batch: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> Void,
        outcomes: (_ batch: UInt64, _ now: Instant, _ bytes: UnsafeRawBufferPointer) throws -> Void
    ) throws {
        let (records, batches) = state.withLock { ($0.records, $0.batches) }
        for (key, stored) in records.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try key.withUnsafeBytes { key in
                try stored.bytes.withUnsafeBytes { try record(key, stored.batch, $0) }
            }
        }
        for (number, batch) in batches.sorted(by: { $0.key < $1.key }) where !batch.outcomes.isEmpty {
            try batch.outcomes.withUnsafeBytes { try outcomes(number, batch.now, $0) }
        }
    }
}

extension MemoryStore {
    public var erasureCount: UInt64 { state.withLock { $0.erasures } }

    public func erase(_ erasure: Erasure) -> Erased? {
        let named = erasure.named.sorted { $0.position.rawValue < $1.position.rawValue }
        return state.withLock { state in
            var erased = Erased()
            state.erasures += 1
            for place in state.rows.indices
            where place >= state.firstRow && state.rows[place].firstSequence <= erasure.forgetting.lastSequence {
                erased.events += erasure.eraseEvents(&state.rows[place].bytes)
            }
            for name in state.publishers.keys {
                erased.answers += state.publishers[name]?.erase(erasure.erasedAnswer) ?? 0
            }
            for (first, block) in state.blocks where block.batch <= erasure.lastBatch {
                var block = block
                if Erasure.eraseUnnamed(in: &block.bytes, at: ContentPosition(rawValue: first), named) {
                    state.blocks[first] = block
                }
            }
            return erased
        }
    }
}

extension MemoryStore.Publisher {
    fileprivate mutating func erase(_ erased: (StoredAnswer) -> [UInt8]?) -> Int {
        var count = 0
        for place in answers.indices {
            guard let body = erased(answers[place]) else { continue }
            answers[place].body = body
            count += 1
        }
        return count
    }

    fileprivate mutating func keep(_ answer: StoredAnswer, at now: Instant) {
        last = answer.number
        seenAt = now
        if answers.count == Limits.publisherWindow { answers.removeFirst() }
        answers.append(answer)
    }
}
