import Foundation
import RationModel
import RationStore
import TestSupport
import Testing

@Suite("Checking a store: all that is damaged is told, and nothing else")
struct StoreCheckTests {
    /// Rows of one event of 5,000 bytes, so that each has a block of its own, in table files, and two in the log.
    private struct Sample {
        let folder: TemporaryFolder
        let files: FileTree

        init(rows: Int = 40) throws {
            folder = try TemporaryFolder()
            files = FileTree(folder.path + "/data")
            let store = try RocksDBStore(folder: files.path, .small)
            var commits = Commits(store: store)
            for row in 1...rows {
                try commits.add(
                    events: 1, bytes: 5_000, answers: [StoredAnswer("p", UInt64(row))], intents: [1, 2, 3],
                    outcomes: [4, 5], records: [StoredRecord("recipient \(row % 9)", "text \(row)")])
            }
            try store.commit(commits.revision(.policy))
        }

        func check(_ damage: (FileTree) throws -> Void) throws -> StoreCheck {
            let copy = try files.copy(to: folder.path + "/copy")
            // All rows into table files.
            do { _ = try RocksDBStore(folder: copy.path, .small) }
            try damage(copy)
            var check = try StoreCheck(folder: copy.path, .small)
            check.run()
            return check
        }
    }

    /// Changes a byte of the rows of events with these numbers.
    private func flip(_ rows: Set<UInt8>, in files: FileTree) throws {
        for name in try files.names(ending: ".sst") {
            var bytes = try files.bytes(name)
            var isChanged = false
            for row in rows {
                let pattern = [UInt8](repeating: row, count: 2_000)
                guard let place = Data(bytes).range(of: Data(pattern))?.lowerBound else { continue }
                bytes[place + 1_000] ^= 1
                isChanged = true
            }
            if isChanged { try files.write(bytes, to: name) }
        }
    }

    @Test("A sound store has nothing to tell, and its rows are counted")
    func sound() throws {
        let check = try Sample().check { _ in }
        #expect(check.isSound && check.findings == [], "\(check.findings)")
        #expect(check.lastBatch == 40 && check.range == LogRange(first: 1, last: 40))
        let rows = Dictionary(uniqueKeysWithValues: check.rows.map { ($0.family, $0.rows) })
        #expect(rows["events"] == 40 && rows["records"] == 9 && rows["publishers"] == 1 && rows["answers"] == 40)
    }

    @Test(
        "Events in blocks that cannot be read are named from the first to the last, each stretch by itself",
        arguments: [
            ([5], ["5 to 5"]), ([1], ["1 to 1"]), ([7, 8, 9], ["7 to 9"]), ([3, 30], ["3 to 3", "30 to 30"]),
            ([40], ["40 on"]),
        ] as [(Set<UInt8>, [String])])
    func events(damaged: Set<UInt8>, told: [String]) throws {
        let check = try Sample().check { try flip(damaged, in: $0) }
        let stretches = check.findings.filter { $0.contains("checksum mismatch") }
        #expect(stretches.count == told.count, "\(check.findings)")
        for (finding, events) in zip(stretches, told) {
            #expect(finding.hasPrefix("events: events from \(events) cannot be read: "))
        }
        #expect(check.findings.allSatisfy { $0.hasPrefix("events: ") }, "\(check.findings)")
    }

    @Test(
        "Who reads events that cannot be read is told which; those before and behind them are read, and the store goes on"
    )
    func reading() throws {
        let sample = try Sample()
        do { _ = try RocksDBStore(folder: sample.files.path, .small) }
        try flip([7, 8, 20], in: sample.files)
        let store = try RocksDBStore(folder: sample.files.path, .small)
        #expect(try store.rows(after: 0, bytes: .max).count == 6)
        for (after, events) in [(6, "7 to 8"), (7, "7 to 8"), (19, "20 to 20")] as [(UInt64, String)] {
            let error = #expect(throws: StoreError.self) { try store.rows(after: after, bytes: .max) }
            #expect(error?.code == .damaged)
            #expect(
                error?.message.hasPrefix("events from \(events) cannot be read: ") == true, "\(error?.message ?? "")")
        }
        #expect(try store.rows(after: 8, bytes: .max).count == 11)
        #expect(try store.rows(after: 20, bytes: .max).count == 20)
        #expect(store.failure == nil)
        var commits = Commits(store: store)
        try commits.add(events: 1, bytes: 10)
        #expect(try store.rows(after: 20, bytes: .max).count == 21)
    }

    @Test("Rows of several events beside those that cannot be read are read from any of their events on")
    func beside() throws {
        let folder = try TemporaryFolder()
        let files = FileTree(folder.path + "/data")
        do {
            let store = try RocksDBStore(folder: files.path, .small)
            var commits = Commits(store: store)
            for _ in 1...20 { try commits.add(events: 10, bytes: 5_000) }
        }
        do { _ = try RocksDBStore(folder: files.path, .small) }
        // Events 51 to 60, 71 to 90, and 151 to 160.
        try flip([6, 8, 9, 16], in: files)
        let store = try RocksDBStore(folder: files.path, .small)
        for (after, rows) in [
            (40, 1), (45, 1), (49, 1), (60, 1), (65, 1), (69, 1), (90, 6), (97, 6), (160, 4), (169, 4),
        ]
            as [(UInt64, Int)]
        {
            #expect(try store.rows(after: after, bytes: .max).count == rows, "after \(after)")
        }
        for (after, events) in [
            (50, "51 to 60"), (55, "51 to 60"), (59, "51 to 60"), (70, "71 to 90"), (84, "71 to 90"), (89, "71 to 90"),
            (155, "151 to 160"),
        ] as [(UInt64, String)] {
            let error = #expect(throws: StoreError.self) { try store.rows(after: after, bytes: .max) }
            let message = error?.message ?? ""
            #expect(
                message.contains(" to \(events.split(separator: " ").last ?? "") cannot be read"),
                "\(after): \(message)")
        }
        // A time among those that cannot be read is before them: nobody knows where they end.
        for (hour, position) in [
            (3, 20), (6, 50), (7, 50), (8, 70), (9, 70), (10, 70), (11, 100), (16, 150), (17, 150), (18, 170),
            (30, 200),
        ]
            as [(Int64, UInt64)]
        {
            #expect(try store.position(before: Instant(milliseconds: hour * 3_600_000)) == position, "\(hour)")
        }
    }

    @Test("A store that is damaged anywhere is told by the check whenever it is told by reading it all")
    func anywhere() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let sample = try DamageTests.Sample(seed: seed)
        let names = try sample.files.names().filter { name in
            name.hasSuffix(".sst") || name.hasSuffix(".log") || ["store", "acknowledged"].contains(name)
        }
        var told = 0
        for round in 0..<60 {
            let name = names.randomElement(using: &random)!
            var bytes = try sample.files.bytes(name)
            guard !bytes.isEmpty else { continue }
            let damage = Damage.allCases.randomElement(using: &random)!
            let place = Int.random(in: 0..<bytes.count, using: &random)
            damage.apply(to: &bytes, at: place, count: Int.random(in: 1...5_000, using: &random))
            let folder = try sample.copy { try $0.write(bytes, to: name) }
            let what = "seed \(seed), round \(round): \(name) \(damage) at \(place)"
            var findings: [String]
            do throws(StoreError) {
                var check = try StoreCheck(folder: folder, .likeModel)
                check.run()
                findings = check.findings
            } catch {
                findings = [error.description]
            }
            told += findings.isEmpty ? 0 : 1
            do {
                let contents = try StoreContents(RocksDBStore(folder: folder, .likeModel))
                if findings.isEmpty {
                    let difference = contents.difference(from: sample.contents)
                    #expect(difference == nil, "\(what): \(difference ?? "")")
                }
            } catch {
                #expect(!findings.isEmpty, "\(what): \(error)")
            }
        }
        #expect(told > 20, "seed \(seed)")
    }

    @Test("Checking changes no file")
    func changesNothing() throws {
        let sample = try Sample()
        let before = try sample.files.names().map { [$0: try sample.files.bytes($0)] }
        var check = try StoreCheck(folder: sample.files.path, .small)
        check.run()
        #expect(check.isSound, "\(check.findings)")
        #expect(try sample.files.names().map { [$0: try sample.files.bytes($0)] } == before)
    }
}
