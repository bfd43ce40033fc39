import RationModel
import RationStore

/// Commits one batch after another: the next number, the next sequence, an hour later.
struct Commits {
    let store: MemoryStore
    var now = Instant(milliseconds: 0)

    init(store: MemoryStore) {
        self.store = store
    }

    init(retentionBytes: Int = .max) {
        self.init(store: MemoryStore(log: "7f3a", retentionBytes: retentionBytes))
    }

    /// A batch of `events` events in a row of `bytes` bytes, each the row's number.
    mutating func add(events: Int, bytes: Int, answers: [StoredAnswer] = []) throws {
        now = now.advanced(by: 3_600_000)
        let batch = store.lastBatch + 1
        let row = [UInt8](repeating: UInt8(truncatingIfNeeded: batch), count: bytes)
        try store.commit(
            Commit(
                batch: batch, now: now, firstSequence: store.range.last + 1, eventCount: events, events: row,
                answers: answers))
    }

    mutating func add(_ answers: StoredAnswer...) throws {
        try add(events: 0, bytes: 0, answers: answers)
    }

    /// The numbers of the rows after a position.
    func rows(after sequence: UInt64, bytes: Int = .max) -> [UInt8] {
        store.rows(after: sequence, bytes: bytes).compactMap(\.first)
    }
}

extension StoredAnswer {
    init(_ publisher: String, _ number: UInt64) {
        self.init(
            publisher: PublisherName(publisher), number: number, bodyHash: number &* 7, isRefusal: number % 2 == 0,
            body: [1, 2])
    }
}
