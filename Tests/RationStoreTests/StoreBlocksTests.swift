import RationModel
import RationStore
import Testing

@Suite("Contents by their position")
struct StoreBlocksTests {
    /// Bytes of which every one tells where it stands.
    private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }

    private func store(_ kind: StoreKind) throws -> NewStore {
        let new = try NewStore(kind)
        try new.store.commit(commit(new.store, contents: Self.bytes))
        return new
    }

    private func commit(
        _ store: any Store, contents: [UInt8] = [], moves: [ContentMove] = [], emptyHours: [UInt32] = [],
        firstNeeded: UInt64 = 0
    ) -> Commit {
        Commit(
            batch: store.lastBatch + 1, now: Instant(milliseconds: 0), firstSequence: 1, eventCount: 0, events: [],
            answers: [], intents: [1], contents: contents, moves: moves, emptyHours: emptyHours,
            firstNeededBatch: firstNeeded)
    }

    @Test(
        "A batch's contents are found by their offset, also where they stand in two blocks",
        arguments: StoreKind.allCases,
        [0, 1, 4_095, 4_096, 65_500, 91_000])
    func batch(kind: StoreKind, offset: Int) throws {
        let new = try store(kind)
        let content = try new.store.content(at: ContentPosition(batch: 1, offset: offset), count: 9_000)
        #expect(content.elementsEqual(Self.bytes[offset..<offset + 9_000]))
    }

    @Test(
        "What the checkpoint takes along is found in its hour, after its batch is gone", arguments: StoreKind.allCases)
    func moved(kind: StoreKind) throws {
        let new = try store(kind)
        let next = [9, 8, 7] as [UInt8]
        func to(_ hour: UInt32, _ block: UInt32, _ offset: Int) -> ContentPosition {
            ContentPosition(hour: hour, block: block, offset: offset)
        }
        let moves = [
            ContentMove(from: ContentPosition(batch: 1, offset: 40_000), to: to(500_000, 0, 0), count: 200),
            // Of the same batch.
            ContentMove(from: ContentPosition(batch: 2, offset: 0), to: to(500_001, 7, 0), count: 3),
            ContentMove(from: ContentPosition(batch: 1, offset: 32_700), to: to(500_000, 0, 200), count: 100),
        ]
        try new.store.commit(commit(new.store, contents: next, moves: moves, firstNeeded: 3))
        #expect(try new.store.content(at: to(500_000, 0, 0), count: 200).elementsEqual(Self.bytes[40_000..<40_200]))
        #expect(try new.store.content(at: to(500_000, 0, 200), count: 100).elementsEqual(Self.bytes[32_700..<32_800]))
        #expect(try new.store.content(at: to(500_001, 7, 0), count: 3).elementsEqual(next))
        // From one hour to another.
        let on = ContentMove(from: to(500_000, 0, 200), to: to(500_002, 0, 0), count: 100)
        try new.store.commit(commit(new.store, moves: [on], emptyHours: [500_000]))
        #expect(try new.store.content(at: to(500_002, 0, 0), count: 100).elementsEqual(Self.bytes[32_700..<32_800]))
        #expect(try new.store.content(at: to(500_001, 7, 0), count: 3).elementsEqual(next))
        #expect(throws: (any Error).self) { try new.store.content(at: to(500_000, 0, 0), count: 200) }
    }

    @Test(
        "An hour that became empty may be begun anew, also the last one", arguments: StoreKind.allCases,
        [500_000, 1 << 22 - 1])
    func anew(kind: StoreKind, hour: UInt32) throws {
        let new = try store(kind)
        let place = ContentPosition(hour: hour, block: 0, offset: 0)
        for offset in [100, 50_000] {
            let move = ContentMove(from: ContentPosition(batch: 1, offset: offset), to: place, count: 50)
            try new.store.commit(commit(new.store, moves: [move]))
            #expect(try new.store.content(at: place, count: 50).elementsEqual(Self.bytes[offset..<offset + 50]))
            try new.store.commit(commit(new.store, emptyHours: [hour]))
            #expect(throws: (any Error).self) { try new.store.content(at: place, count: 50) }
        }
    }

    @Test("One that is not there is told, with its place", arguments: StoreKind.allCases)
    func missing(kind: StoreKind) throws {
        let new = try store(kind)
        for position in [
            ContentPosition(batch: 9, offset: 0), ContentPosition(batch: 1, offset: 99_999),
            ContentPosition(hour: 1, block: 0, offset: 0),
        ] {
            #expect(throws: (any Error).self) { try new.store.content(at: position, count: 2) }
        }
    }

    @Test("A store that is opened again has its contents")
    func reopened() throws {
        let folder = try TemporaryFolder()
        let place = ContentPosition(hour: 500_000, block: 3, offset: 0)
        do {
            let store = try RocksDBStore(folder: folder.path, .small)
            try store.commit(commit(store, contents: Self.bytes))
            let move = ContentMove(from: ContentPosition(batch: 1, offset: 70_000), to: place, count: 900)
            try store.commit(commit(store, moves: [move]))
        }
        let store = try RocksDBStore(folder: folder.path, .small)
        #expect(try store.content(at: place, count: 900).elementsEqual(Self.bytes[70_000..<70_900]))
        let position = ContentPosition(batch: 1, offset: 65_000)
        #expect(try store.content(at: position, count: 900).elementsEqual(Self.bytes[65_000..<65_900]))
    }

    @Test("A position says what it was made of, within its limits")
    func positions() {
        let (lastOffset, lastBatch) = (ContentPosition.batchBytes - 1, UInt64(1) << 38)
        #expect(ContentPosition(batch: lastBatch, offset: lastOffset).place == .batch(lastBatch, offset: lastOffset))
        let (hour, block, offset) = (UInt32(1) << 22 - 1, UInt32(1) << 26 - 1, 1 << 15 - 1)
        let last = ContentPosition(hour: hour, block: block, offset: offset)
        #expect(last.place == .hour(hour, block: block, offset: offset))
        #expect(ContentPosition.none.place == .none)
        #expect(ContentPosition.hour(of: .distantPast) == 0)
        #expect(ContentPosition.hour(of: .distantFuture) == hour)
        #expect(ContentPosition.hour(of: Instant(milliseconds: 7_199_999)) == 1)
    }
}
