import RationModel
import RationStore
import Testing

/// Commits one batch after another: the next number, the next sequence, an hour later.
struct Commits {
    let store: any Store
    var now = Instant(milliseconds: 0)

    init(store: any Store) {
        self.store = store
        if store.lastNow != .distantPast { now = store.lastNow }
    }

    /// A batch of `events` events in a row of `bytes` bytes, each the row's number.
    mutating func add(
        events: Int, bytes: Int, answers: [StoredAnswer] = [], intents: [UInt8] = [], outcomes: [UInt8] = [],
        records: [StoredRecord] = [], firstNeeded: UInt64 = 0
    ) throws {
        now = now.advanced(by: 3_600_000)
        let batch = store.lastBatch + 1
        let row = [UInt8](repeating: UInt8(truncatingIfNeeded: batch), count: bytes)
        try store.commit(
            Commit(
                batch: batch, now: now, firstSequence: store.range.last + 1, eventCount: events, events: row,
                answers: answers, intents: intents, outcomes: outcomes, records: records,
                firstNeededBatch: firstNeeded))
    }

    mutating func add(_ answers: StoredAnswer...) throws {
        try add(events: 0, bytes: 0, answers: answers)
    }

    /// The numbers of the rows after a position.
    func rows(after sequence: UInt64, bytes: Int = .max) -> [UInt8] {
        do throws(StoreError) {
            return try store.rows(after: sequence, bytes: bytes).compactMap(\.first)
        } catch {
            Issue.record(error)
            return []
        }
    }

    /// A policy revision that follows.
    func revision(_ kind: StoredRevision.Kind, bytes: Int = 1) -> StoredRevision {
        let number = (store.revisions(of: kind).last?.number ?? 0) + 1
        return StoredRevision(
            kind: kind, number: number, at: now, sequence: store.range.last, batch: store.lastBatch,
            source: "source \(number)", document: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: bytes))
    }
}

extension StoredAnswer {
    init(_ publisher: String, _ number: UInt64) {
        self.init(
            publisher: PublisherName(publisher), number: number, bodyHash: number &* 7, isRefusal: number % 2 == 0,
            body: [1, 2])
    }
}

extension StoredRecord {
    init(_ key: String, _ text: String) {
        self.init(key: Array(key.utf8), bytes: Array(text.utf8))
    }
}
