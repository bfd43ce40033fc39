import RationModel
import RationStore
import Testing

/// What `recover` gives back.
struct Recovered: Hashable {
    struct Record: Hashable {
        var key: String
        var batch: UInt64
        var text: String
    }

    struct Outcomes: Hashable {
        var batch: UInt64
        var now: Instant
        var bytes: [UInt8]
    }

    var records: [Record] = []
    var outcomes: [Outcomes] = []

    init() {}

    init(_ store: any Store) throws {
        try store.recover { key, batch, bytes in
            records.append(
                Record(
                    key: String(decoding: key, as: UTF8.self), batch: batch,
                    text: String(decoding: bytes, as: UTF8.self)))
        } outcomes: { batch, now, bytes in
            outcomes.append(Outcomes(batch: batch, now: now, bytes: Array(bytes)))
        }
    }
}

@Suite("Rows of intents and outcomes, and records")
struct StoreRowsTests {
    @Test("A new store recovers nothing", arguments: StoreKind.allCases)
    func nothing(kind: StoreKind) throws {
        let new = try NewStore(kind)
        #expect(try Recovered(new.store) == Recovered())
        #expect(new.store.intents(ofBatch: 0) == nil && new.store.intents(ofBatch: 1) == nil)
    }

    @Test("Rows are kept under their batch, in order; empty ones are none", arguments: StoreKind.allCases)
    func rows(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(events: 0, bytes: 0, intents: [1], outcomes: [11])
        try commits.add(events: 0, bytes: 0, intents: [2])
        try commits.add(events: 2, bytes: 5, outcomes: [13, 14])
        try commits.add(events: 0, bytes: 0)
        #expect((0...5).map { new.store.intents(ofBatch: $0) } == [nil, [1], [2], nil, nil, nil])
        let outcomes = try Recovered(new.store).outcomes
        #expect(outcomes.map(\.batch) == [1, 3] && outcomes.map(\.bytes) == [[11], [13, 14]])
        #expect(outcomes.map(\.now.milliseconds) == [3_600_000, 3 * 3_600_000])
        #expect(new.store.lastNow.milliseconds == 4 * 3_600_000)
    }

    @Test(
        "Rows of batches below the first needed one go, those from it on stay",
        arguments: StoreKind.allCases, [0, 1, 2, 3, 4, 9] as [UInt64])
    func needed(kind: StoreKind, first: UInt64) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        for _ in 1...2 { try commits.add(events: 0, bytes: 0, intents: [1], outcomes: [2]) }
        try commits.add(events: 0, bytes: 0, intents: [1], outcomes: [2], firstNeeded: first)
        let kept = ([1, 2, 3] as [UInt64]).filter { $0 >= first }
        #expect(try Recovered(new.store).outcomes.map(\.batch) == kept)
        #expect(([1, 2, 3] as [UInt64]).filter { new.store.intents(ofBatch: $0) != nil } == kept)
        // A smaller one afterwards brings nothing back.
        try commits.add(events: 0, bytes: 0, intents: [1], outcomes: [2], firstNeeded: 1)
        #expect(try Recovered(new.store).outcomes.map(\.batch) == kept + [4])
    }

    @Test(
        "A record is as its last batch left it, empty is forgotten, and keys come in the order of their bytes",
        arguments: StoreKind.allCases)
    func records(kind: StoreKind) throws {
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        try commits.add(
            events: 0, bytes: 0, records: [StoredRecord("b", "1"), StoredRecord("a", "1"), StoredRecord("c", "1")])
        try commits.add(
            events: 0, bytes: 0, records: [StoredRecord("c", ""), StoredRecord("é", "2"), StoredRecord("x", "")])
        try commits.add(events: 0, bytes: 0, records: [StoredRecord("a", "3"), StoredRecord("e\u{301}", "3")])
        let records = try Recovered(new.store).records
        #expect(records.map { Array($0.key.utf8) } == ["a", "b", "e\u{301}", "é"].map { Array($0.utf8) })
        #expect(records.map(\.batch) == [3, 1, 3, 2] && records.map(\.text) == ["3", "1", "3", "2"])
    }
}
