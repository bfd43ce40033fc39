import RationModel
import RationStore
import TestSupport
import Testing

@Suite("The log: where a time is")
struct StoreTimeTests {
    private static func hour(_ number: Int64) -> Instant { Instant(milliseconds: number * 3_600_000) }

    @Test(
        "A time's position is before the first event of that time or later", arguments: StoreKind.allCases,
        [
            (hour(0), 0), (hour(1).advanced(by: -1), 0), (hour(1), 0), (hour(1).advanced(by: 1), 3), (hour(3), 3),
            (hour(3).advanced(by: 1), 4), (hour(4), 4), (hour(4).advanced(by: 1), 9), (.distantPast, 0),
            (.distantFuture, 9),
        ] as [(Instant, UInt64)])
    func position(kind: StoreKind, time: (instant: Instant, before: UInt64)) throws {
        // Events 1 to 3 at one o'clock, none at two, 4 at three, and 5 to 9 at four.
        let new = try NewStore(kind)
        var commits = Commits(store: new.store)
        for events in [3, 0, 1, 5] { try commits.add(events: events, bytes: events * 10) }
        #expect(try new.store.position(before: time.instant) == time.before)
    }

    @Test("Before the first event every time's position is 0", arguments: StoreKind.allCases)
    func empty(kind: StoreKind) throws {
        let new = try NewStore(kind)
        #expect(try new.store.position(before: .distantPast) == 0)
        #expect(try new.store.position(before: .distantFuture) == 0)
        let figures = try new.store.logFigures()
        #expect(figures.bytes == 0 && figures.oldest == nil && figures.newest == nil)
    }

    @Test("Of any log every row's time is found, also after the oldest rows have gone")
    func generated() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let folder = try TemporaryFolder()
        let store = try RocksDBStore(folder: folder.path + "/data", .likeModel)
        let model = Model(GeneratedCommits(seed: seed))
        for round in 1...300 as ClosedRange<UInt64> {
            try model.commits.step(store)
            try model.advance(to: round)
            guard round % 7 == 0 else { continue }
            for shift in [-40 * 86_400_000, -2_500, -1_000, -999, -1, 0, 1] as [Int64] {
                let instant = store.lastNow.advanced(by: shift)
                // The model lets go of single rows, the store of whole stretches.
                let expected = max(model.store.position(before: instant), store.range.first - 1)
                let found = try store.position(before: instant)
                try #require(
                    found == expected || found < model.store.range.first,
                    "seed \(seed), round \(round), \(shift) ms: \(found), not \(expected)")
            }
        }
    }

    @Test("The figures tell bytes, times and retention of what is kept", arguments: StoreKind.allCases)
    func figures(kind: StoreKind) throws {
        let new = try NewStore(kind, retentionBytes: 25)
        var commits = Commits(store: new.store)
        for _ in 0..<5 { try commits.add(events: 2, bytes: 10) }
        let figures = try new.store.logFigures()
        #expect(figures.range == LogRange(first: 7, last: 10) && figures.bytes == 20)
        #expect(figures.oldest == Self.hour(4) && figures.newest == Self.hour(5))
        #expect(figures.retentionBytes == 25 && figures.retentionMilliseconds == nil)
    }
}
