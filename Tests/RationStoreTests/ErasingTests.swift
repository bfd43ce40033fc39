import RationModel
import RationRocksDB
import Testing

@testable import RationStore

@Suite("Erasing what is kept of a recipient")
struct ErasingTests {
    private let key = Array("app\0d".utf8)

    /// Overwrites rows of which each byte is an odd number.
    private func erasure(_ store: any Store, lastBatch: UInt64? = nil, named: [Erasure.Named] = []) -> Erasure {
        Erasure(
            Forgetting(key: key, batch: store.lastBatch, lastSequence: store.range.last),
            lastBatch: lastBatch ?? store.lastBatch, named: named,
            eraseEvents: { row in
                guard row[0] % 2 == 1 else { return 0 }
                for place in row.indices.dropFirst() { row[place] = UInt8(ascii: "*") }
                return 1
            },
            erasedAnswer: { $0.number == 2 ? [0] : nil })
    }

    @Test(
        "rows of events are overwritten where they stand, and the log goes on from them", arguments: StoreKind.allCases)
    func events(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        for _ in 0..<9 { try commits.add(events: 2, bytes: 50) }
        try commits.add(StoredAnswer("p", 1), StoredAnswer("p", 2))
        let erased = try #require(try new.store.erase(erasure(new.store)))
        #expect(erased == Erased(events: 5, answers: 1))
        try commits.add(events: 2, bytes: 50)
        let rows = try new.store.rows(after: 0, bytes: .max)
        #expect(rows.map(\.count) == Array(repeating: 50, count: 10))
        for (place, row) in rows.enumerated() where place < 9 {
            #expect(row[1] == (place % 2 == 0 ? UInt8(ascii: "*") : UInt8(place + 1)))
        }
        #expect(new.store.answer(to: 1, of: "p")?.body == [1, 2])
        #expect(new.store.answer(to: 2, of: "p")?.body == [0])
        #expect(try new.store.erase(erasure(new.store)) == Erased(events: 6, answers: 1), "it may be repeated")
    }

    @Test(
        "of a block what nothing names goes; what was written later stays whole", arguments: StoreKind.allCases)
    func blocks(kind: StoreKind) throws {
        let new = try NewStore(kind)
        func place(_ block: UInt32, _ offset: Int) -> ContentPosition {
            ContentPosition(hour: 500_000, block: block, offset: offset)
        }
        func commit(_ block: UInt32) throws {
            let batch = new.store.lastBatch + 1
            let moves = [0, 100, 200].map { offset in
                ContentMove(from: ContentPosition(batch: batch, offset: offset), to: place(block, offset), count: 100)
            }
            try new.store.commit(
                Commit(
                    batch: batch, now: Instant(milliseconds: 0), firstSequence: 1, eventCount: 0, events: [],
                    answers: [], intents: [1], contents: [UInt8](repeating: 7, count: 300), moves: moves,
                    firstNeededBatch: batch + 1))
        }
        for block in 0..<3 as Range<UInt32> { try commit(block) }
        // Nothing of the second block is named, and the third one came later.
        let named = [Erasure.Named(place(0, 200), count: 100), Erasure.Named(place(0, 0), count: 100)]
        _ = try new.store.erase(erasure(new.store, lastBatch: 2, named: named))
        for block in 0..<3 as Range<UInt32> {
            for offset in [0, 100, 200] {
                let isKept = block == 2 || block == 0 && offset != 100
                let content = try new.store.content(at: place(block, offset), count: 100)
                #expect(content.elementsEqual([UInt8](repeating: isKept ? 7 : 0, count: 100)), "\(block), \(offset)")
            }
        }
    }

    @Test("one that is told to stop changes nothing that it does not finish when it is begun again")
    func stopped() throws {
        let folder = try TemporaryFolder()
        let store = try RocksDBStore(folder: folder.path + "/data", .small)
        var commits = Commits(store: store)
        try commits.add(events: 1, bytes: 50)
        try store.commit(
            Commit(
                batch: 2, now: commits.now, firstSequence: 2, eventCount: 0, events: [], answers: [], forgottenKey: key)
        )
        var erasure = erasure(store)
        erasure.goesOn = { false }
        #expect(try store.erase(erasure) == nil)
        #expect(store.forgettings == [Forgetting(key: key, batch: 2, lastSequence: 1)])
        erasure.goesOn = { true }
        _ = try store.erase(erasure)
        #expect(store.forgettings == [])
    }

    @Test("a start lets go of the files that one had left which was finished, also when there is nothing else to write")
    func swept() throws {
        let folder = try TemporaryFolder()
        do {
            let store = try RocksDBStore(folder: folder.path + "/data", .small)
            var batch = RocksBatch(for: store.database)
            batch.putSealed(.state, StateKey.sweeping, batch: 0, [])
            try store.database.write(batch, isSynced: true)
        }
        // It would give up on files that stay.
        let store = try RocksDBStore(folder: folder.path + "/data", .small)
        let isSweeping = try store.database.read(StoreFamily.state.rawValue, StateKey.sweeping) { $0 != nil }
        #expect(!isSweeping && store.failure == nil)
    }
}
