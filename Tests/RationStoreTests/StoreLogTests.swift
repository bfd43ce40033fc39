import RationModel
import RationStore
import Testing

@Suite("The log: positions and retention")
struct StoreLogTests {
    @Test("A new log is empty, and its next event has number 1", arguments: StoreKind.allCases)
    func new(kind: StoreKind) throws {
        let new = try NewStore(kind, retentionBytes: 100)
        let store = new.store
        #expect(!store.log.isEmpty && store.lastNow == .distantPast && store.hasRoom && store.failure == nil)
        #expect(store.lastBatch == 0 && store.publisherCount == 0)
        #expect(store.range == LogRange(first: 1, last: 0))
        #expect(try store.rows(after: 0, bytes: .max) == [] && store.rows(after: .max, bytes: .max) == [])
    }

    @Test("Positions rise by the events; a batch without events makes no row", arguments: StoreKind.allCases)
    func positions(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(events: 3, bytes: 10)
        #expect(commits.store.range == LogRange(first: 1, last: 3) && commits.store.lastBatch == 1)
        try commits.add(events: 0, bytes: 0)
        #expect(commits.store.range == LogRange(first: 1, last: 3) && commits.store.lastBatch == 2)
        try commits.add(events: 1, bytes: 10)
        #expect(commits.store.range == LogRange(first: 1, last: 4) && commits.store.lastBatch == 3)
    }

    @Test(
        "Reading starts with the row that holds the next event", arguments: StoreKind.allCases,
        [
            (0, [1, 2, 3]), (1, [1, 2, 3]), (2, [1, 2, 3]), (3, [2, 3]), (4, [3]), (5, [3]), (8, [3]), (9, []),
            (10, []), (.max, []),
        ] as [(UInt64, [UInt8])])
    func rows(kind: StoreKind, sequence: (after: UInt64, rows: [UInt8])) throws {
        // Events 1 to 3, 4, and 5 to 9.
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(events: 3, bytes: 10)
        try commits.add(events: 1, bytes: 10)
        try commits.add(events: 5, bytes: 10)
        #expect(commits.rows(after: sequence.after) == sequence.rows)
    }

    @Test(
        "Rows are given until so many bytes are reached, and at least one", arguments: StoreKind.allCases,
        [
            (.min, [1]), (0, [1]), (1, [1]), (10, [1]), (11, [1, 2]), (20, [1, 2]), (21, [1, 2, 3]), (30, [1, 2, 3]),
            (.max, [1, 2, 3]),
        ] as [(Int, [UInt8])])
    func bytes(kind: StoreKind, bytes: (most: Int, rows: [UInt8])) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        for _ in 0..<3 { try commits.add(events: 2, bytes: 10) }
        #expect(commits.rows(after: 0, bytes: bytes.most) == bytes.rows)
        #expect(commits.rows(after: 6, bytes: bytes.most) == [])
    }

    @Test(
        "Beyond the retention the oldest rows go, and a reader behind gets the oldest that is kept",
        arguments: StoreKind.allCases)
    func retention(kind: StoreKind) throws {
        let new = try NewStore(kind, retentionBytes: 30)
        var commits = Commits(store: new.store)
        for _ in 0..<3 { try commits.add(events: 2, bytes: 10) }
        #expect(commits.store.range == LogRange(first: 1, last: 6), "exactly full")
        try commits.add(events: 2, bytes: 1)
        #expect(commits.store.range == LogRange(first: 3, last: 8))
        for sequence in [0, 1, 2, 3] as [UInt64] { #expect(commits.rows(after: sequence) == [2, 3, 4]) }
        try commits.add(events: 2, bytes: 20)
        #expect(commits.store.range == LogRange(first: 7, last: 10))
        #expect(commits.rows(after: 0) == [4, 5])
    }

    @Test("The newest row is kept whatever its size", arguments: StoreKind.allCases)
    func newest(kind: StoreKind) throws {
        let new = try NewStore(kind, retentionBytes: 0)
        var commits = Commits(store: new.store)
        for batch in 1...3 {
            try commits.add(events: 2, bytes: 1000)
            #expect(commits.store.range == LogRange(first: UInt64(batch * 2 - 1), last: UInt64(batch * 2)))
            #expect(commits.rows(after: 0) == [UInt8(batch)])
        }
    }

    @Test("Positions stay right while thousands of rows come and go", arguments: StoreKind.allCases)
    func longRun(kind: StoreKind) throws {
        let new = try NewStore(kind, retentionBytes: 100)
        var commits = Commits(store: new.store)
        for batch in 1...(kind == .memory ? 5_000 : 1_200) {
            try commits.add(events: 3, bytes: 10)
            let last = UInt64(batch * 3)
            let first = UInt64(max(0, batch - 10) * 3 + 1)
            try #require(commits.store.range == LogRange(first: first, last: last))
            let kept = (max(1, batch - 9)...batch).map { UInt8(truncatingIfNeeded: $0) }
            try #require(commits.rows(after: 0) == kept)
            try #require(commits.rows(after: last - 1) == kept.suffix(1))
            try #require(commits.rows(after: last - 3) == kept.suffix(1))
            try #require(commits.rows(after: last - 3 - min(1, last - 3)) == kept.suffix(2))
        }
    }

    @Test("Readers beside the writer see whole batches only", arguments: StoreKind.allCases)
    func readers(kind: StoreKind) async throws {
        let new = try NewStore(kind, retentionBytes: 1000)
        let store = new.store
        let writer = Task.detached {
            var commits = Commits(store: store)
            for _ in 0..<2000 { try commits.add(events: 3, bytes: 10) }
        }
        let reader = Task.detached {
            var last: UInt64 = 0
            var isWhole = true
            while last < 2000 * 3, isWhole {
                let range = store.range
                isWhole = range.last >= last && range.last % 3 == 0 && range.first % 3 == 1
                last = range.last
                // Lets the writer go on where there is one thread for both.
                await Task.yield()
            }
            return isWhole
        }
        await #expect(throws: Never.self) { try await writer.value }
        #expect(await reader.value)
        #expect(store.lastBatch == 2000)
    }

    @Test("A batch out of order stops the process before anything is written", arguments: StoreKind.allCases)
    func order(kind: StoreKind) async {
        await #expect(processExitsWith: .failure) { [kind] in try Self.commit(kind, batch: 2, sequence: 1) }
        await #expect(processExitsWith: .failure) { [kind] in try Self.commit(kind, batch: 0, sequence: 1) }
        await #expect(processExitsWith: .failure) { [kind] in try Self.commit(kind, batch: 1, sequence: 0) }
        await #expect(processExitsWith: .failure) { [kind] in try Self.commit(kind, batch: 1, sequence: 2) }
        await #expect(processExitsWith: .success) { [kind] in try Self.commit(kind, batch: 1, sequence: 1) }
    }

    static func commit(_ kind: StoreKind, batch: UInt64, sequence: UInt64) throws {
        try NewStore(kind, retentionBytes: 100).store.commit(
            Commit(
                batch: batch, now: Instant(milliseconds: 0), firstSequence: sequence, eventCount: 1, events: [1],
                answers: []))
    }
}
