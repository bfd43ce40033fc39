import RationBus
import RationModel
import RationStore
import Testing

@testable import RationBroker

@Suite("Batches on their way to the store")
struct CommitQueueTests {
    let store = MemoryStore(log: "7f3a", retentionBytes: .max)
    let queue: CommitQueue

    init() throws {
        queue = try CommitQueue(after: 0, committed: Wakeup())
    }

    private func batch(_ number: UInt64, moves: [ContentMove] = []) -> Decided {
        let commit = Commit(
            batch: number, now: Instant(milliseconds: 1_000), firstSequence: 1, eventCount: 0, events: [], answers: [],
            intents: [1], moves: moves)
        return Decided(commit: commit, telling: Telling(batch: number))
    }

    @Test("A batch is committed at once when none is under way, and not when one is")
    func atOnce() throws {
        #expect(try queue.commitAtOnce(batch(1), to: store))
        #expect(try store.lastBatch == 1 && queue.committed() == 1)
        // Nobody takes it: no thread commits here.
        queue.add(batch(2))
        #expect(try !queue.commitAtOnce(batch(3), to: store))
        #expect(try store.lastBatch == 1 && queue.committed() == 1)
    }

    @Test("What has nothing to commit is not committed at once")
    func nothing() throws {
        #expect(try !queue.commitAtOnce(Decided(telling: Telling(batch: 0)), to: store))
        #expect(try store.lastBatch == 0 && queue.committed() == 0)
    }

    @Test("A commit at once that fails ends the queue: its outcome is unknown")
    func failure() throws {
        let missing = ContentMove(
            from: ContentPosition(hour: 0, block: 0, offset: 0), to: ContentPosition(hour: 1, block: 0, offset: 0),
            count: 3)
        let failing = batch(1, moves: [missing])
        #expect(throws: StoreError.self) { try queue.commitAtOnce(failing, to: store) }
        #expect(throws: StoreError.self) { try queue.committed() }
        #expect(throws: StoreError.self) { try queue.commitAtOnce(batch(2), to: store) }
    }
}
