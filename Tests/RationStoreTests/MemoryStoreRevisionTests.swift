import RationModel
import RationStore
import Testing

@Suite("Revisions in memory")
struct MemoryStoreRevisionTests {
    private func revision(_ kind: StoredRevision.Kind, _ number: UInt64, after store: MemoryStore) -> StoredRevision {
        StoredRevision(
            kind: kind, number: number, at: Instant(milliseconds: Int64(number)), sequence: store.range.last,
            batch: store.lastBatch, source: "source", document: [UInt8(truncatingIfNeeded: number)])
    }

    @Test("each kind is numbered by itself, and read as it was committed, with its place in the log")
    func kinds() throws {
        var commits = Commits()
        let store = commits.store
        #expect(store.revisions(of: .policy).isEmpty)
        let first = revision(.policy, 1, after: store)
        try store.commit(first)
        try commits.add(events: 3, bytes: 1)
        let others = [revision(.zones, 1, after: store), revision(.policy, 2, after: store)]
        for other in others { try store.commit(other) }
        #expect(others.map(\.sequence) == [3, 3])
        #expect(store.revisions(of: .policy) == [first, others[1]])
        #expect(store.revisions(of: .zones) == [others[0]])
    }

    @Test("the last 16 of a kind are kept, and as many of the other")
    func limit() throws {
        let store = MemoryStore(log: "l", retentionBytes: .max)
        for number in UInt64(1)...17 {
            if number < 17 { try store.commit(revision(.zones, number, after: store)) }
            try store.commit(revision(.policy, number, after: store))
        }
        #expect(store.revisions(of: .policy).map(\.number) == Array(2...17))
        #expect(store.revisions(of: .zones).map(\.number) == Array(1...16))
    }

    @Test("a revision that does not follow the last one is a fault of the broker's and traps")
    func order() async {
        await #expect(processExitsWith: .failure) {
            let store = MemoryStore(log: "l", retentionBytes: .max)
            try store.commit(
                StoredRevision(
                    kind: .policy, number: 2, at: .distantPast, sequence: 0, batch: 0, source: "", document: []))
        }
    }
}
