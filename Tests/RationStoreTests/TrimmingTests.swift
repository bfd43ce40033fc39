import Foundation
import RationModel
import RationStore
import Testing

@Suite("RocksDB: what is needed no more goes")
struct TrimmingTests {
    @Test("The folder stays small while rows come and go, and what is kept is whole")
    func bounded() throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings.small
        settings.retentionBytes = 1 << 20
        var largest = 0
        let store = try RocksDBStore(folder: folder.path, settings)
        var commits = Commits(store: store)
        let row = [UInt8](repeating: 7, count: 100_000)
        for batch in 1...400 as ClosedRange<UInt64> {
            try commits.add(
                events: 5, bytes: 100_000, intents: row, outcomes: row, records: [StoredRecord("r", "\(batch)")],
                firstNeeded: batch - min(batch, 5))
            if batch % 20 == 0 { largest = max(largest, try Self.size(folder.path)) }
        }
        // 120 MB were written.
        #expect(largest < 24 << 20, "\(largest >> 20) MiB")
        #expect(store.range == LogRange(first: 390 * 5 + 1, last: 2_000))
        #expect(commits.rows(after: 0) == (391...400).map { UInt8(truncatingIfNeeded: $0) })
        #expect(try Recovered(store).outcomes.map(\.batch) == Array(395...400))
    }

    private static func size(_ folder: String) throws -> Int {
        try FileTree(folder).names().reduce(0) { sum, name in
            var status = stat()
            // A file may go between the list and the look.
            return stat(folder + "/" + name, &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
        }
    }

    @Test("Events older than the retention go, younger ones stay, and the newest row stays whatever its age")
    func age() throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings.small
        settings.retentionMilliseconds = 10 * 3_600_000
        let store = try RocksDBStore(folder: folder.path, settings)
        // One row an hour: of rows at hours 1 to 30, those up to hour 19 are older than 10 hours at hour 30.
        var commits = Commits(store: store)
        for hour in 1...30 {
            try commits.add(events: 1, bytes: 10)
            let first = UInt64(max(1, hour - 10))
            #expect(store.range == LogRange(first: first, last: UInt64(hour)))
        }
        // A long silence: the row before goes, the new one stays; without new rows nothing goes.
        commits.now = commits.now.advanced(by: 1_000 * 3_600_000)
        try commits.add(events: 1, bytes: 10)
        #expect(store.range == LogRange(first: 31, last: 31))
        commits.now = commits.now.advanced(by: 1_000 * 3_600_000)
        try commits.add(events: 0, bytes: 0)
        #expect(store.range == LogRange(first: 31, last: 31))
        #expect(commits.rows(after: 0) == [31])
    }

    @Test("Retention holds over a restart with another limit")
    func changed() throws {
        let folder = try TemporaryFolder()
        var settings = StoreSettings.small
        settings.retentionBytes = 100
        do {
            var commits = Commits(store: try RocksDBStore(folder: folder.path, settings))
            for _ in 1...20 { try commits.add(events: 1, bytes: 10) }
            #expect(commits.store.range == LogRange(first: 11, last: 20))
        }
        settings.retentionBytes = 50
        let store = try RocksDBStore(folder: folder.path, settings)
        #expect(store.range == LogRange(first: 11, last: 20))
        var commits = Commits(store: store)
        try commits.add(events: 1, bytes: 10)
        #expect(store.range == LogRange(first: 17, last: 21))
        #expect(commits.rows(after: 0) == [17, 18, 19, 20, 21])
    }
}
