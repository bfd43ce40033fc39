import Foundation
import RationModel
import RationStore
import TestSupport
import Testing

/// What is done to a file's bytes.
enum Damage: String, CaseIterable, Codable, Sendable {
    case flipped, zeroed, cut

    /// - Parameter place: the first byte that is touched.
    func apply(to bytes: inout [UInt8], at place: Int, count: Int) {
        switch self {
        case .flipped: bytes[place] ^= 0x10
        case .zeroed: for index in place..<min(bytes.count, place + count) { bytes[index] = 0 }
        case .cut: bytes.removeLast(bytes.count - place)
        }
    }
}

@Suite("RocksDB: damage is told, and never taken for what was committed")
struct DamageTests {
    /// A store with some batches in table files and the last in the write-ahead log, its contents, and where the log's
    /// records begin.
    struct Sample {
        let folder: TemporaryFolder
        let files: FileTree
        let contents: StoreContents
        /// Bytes of the write-ahead log after each of the last batches.
        let ends: [Int]
        let log: String

        init(seed: UInt64 = 77, flushed: Int = 30, logged: Int = 10, memtableBytes: Int = 256 << 10) throws {
            var settings = StoreSettings.likeModel
            settings.memtableBytes = memtableBytes
            settings.logBytes = memtableBytes * 4
            folder = try TemporaryFolder()
            files = FileTree(folder.path + "/data")
            let commits = GeneratedCommits(seed: seed)
            do {
                let store = try RocksDBStore(folder: files.path, settings)
                for _ in 0..<flushed { try commits.step(store) }
            }
            let store = try RocksDBStore(folder: files.path, settings)
            var ends = [try files.newestLog().count]
            for _ in 0..<logged {
                try commits.step(store)
                ends.append(try files.newestLog().count)
            }
            self.ends = ends
            log = try files.newestLog().name
            contents = try StoreContents(store)
        }

        func copy(_ change: (FileTree) throws -> Void) throws -> String {
            let copy = try files.copy(to: folder.path + "/copy")
            try change(copy)
            return copy.path
        }

        /// A copy whose write-ahead log is damaged.
        func damaged(_ damage: Damage, at place: Int, count: Int) throws -> String {
            try copy { copy in
                var bytes = try copy.bytes(log)
                damage.apply(to: &bytes, at: place, count: count)
                try copy.write(bytes, to: log)
            }
        }
    }

    /// What opening and reading all says.
    private func fault(_ folder: String) -> StoreError? {
        #expect(throws: StoreError.self) { _ = try StoreContents(RocksDBStore(folder: folder, .likeModel)) }
    }

    @Test("A damaged record at the end of the log is told, when its batch was acknowledged", arguments: Damage.allCases)
    func last(damage: Damage) throws {
        let sample = try Sample()
        let (start, end) = (sample.ends[9], sample.ends[10])
        for place in [start, start + 3, start + 8, (start + end) / 2, end - 1] {
            // Some bytes are 0 already.
            if damage == .zeroed, place == end - 1 { continue }
            let error = fault(try sample.damaged(damage, at: place, count: end - place))
            #expect(error?.code == .damaged, "\(damage) at \(place) of \(start)..<\(end): \(error?.description ?? "")")
        }
    }

    @Test("A damaged record in the middle of the log is told", arguments: Damage.allCases)
    func middle(damage: Damage) throws {
        let sample = try Sample()
        for index in 3...6 {
            let (start, end) = (sample.ends[index], sample.ends[index + 1])
            for place in [start, start + 5, (start + end) / 2] {
                let error = fault(try sample.damaged(damage, at: place, count: end - place))
                #expect(
                    error?.code == .damaged, "\(damage) at \(place) of \(start)..<\(end): \(error?.description ?? "")")
            }
        }
    }

    @Test("A block of the log that became zeros, which RocksDB passes over, is told with the batches that are missing")
    func zeroedBlock() throws {
        // RocksDB's log has blocks of 32 KiB; one that begins with zeros is skipped whole without a word.
        let sample = try Sample(logged: 100, memtableBytes: 8 << 20)
        let block = 32 << 10
        try #require(sample.ends.last! > 3 * block)
        let error = fault(try sample.damaged(.zeroed, at: block, count: block))
        #expect(error?.code == .damaged)
        #expect(
            error?.description.contains("missing") == true || error?.description.contains("Corruption") == true,
            "\(error?.description ?? "")")
    }

    @Test("A log file that was cut and has another one after it is told with the batches that are missing")
    func cutBeforeAnother() throws {
        // RocksDB takes the cut for a write that was under way, and goes on with the next file. The first is there until it has
        // been flushed, which is not done by whoever ends meanwhile.
        let folder = try TemporaryFolder()
        let files = FileTree(folder.path + "/data")
        var random = SplitMix64(seed: 1)
        for _ in 0..<20 where try files.logs().count < 2 {
            try? FileManager.default.removeItem(atPath: files.path)
            let store = try RocksDBStore(folder: files.path, .likeModel)
            let commits = GeneratedCommits(seed: random.next())
            repeat { try commits.step(store) } while try files.logs().count < 2
        }
        let logs = try files.logs()
        try #require(logs.count >= 2)
        let count = try files.bytes(logs[0]).count
        for cut in [count / 3, count / 2, count * 9 / 10] {
            let copy = try files.copy(to: folder.path + "/copy")
            try copy.truncate(logs[0], to: cut)
            let error = fault(copy.path)
            #expect(
                error?.code == .damaged && error?.message.contains(" missing, and batch ") == true,
                "\(error?.description ?? "")")
        }
    }

    @Test("A log that ends at a record's edge before the last acknowledged batch is told with both batches")
    func edge() throws {
        let sample = try Sample()
        for (index, end) in sample.ends.enumerated().dropLast() {
            let folder = try sample.damaged(.cut, at: end, count: 0)
            let error = fault(folder)
            #expect(error?.code == .damaged, "cut after \(index): \(error?.description ?? "")")
            #expect(
                error?.message.contains("was acknowledged") == true, "cut after \(index): \(error?.description ?? "")")
        }
        let error = fault(try sample.damaged(.cut, at: sample.ends[5], count: 0))
        #expect(
            error?.message.hasPrefix("the log ends at batch ") == true
                && error?.message.hasSuffix("and batch \(sample.contents.lastBatch) was acknowledged") == true)
    }

    @Test("A file that is damaged anywhere is told, or all that was committed is there")
    func anywhere() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        let sample = try Sample(seed: seed)
        let names = try sample.files.names().filter { name in
            !["LOCK", "LOG", "IDENTITY"].contains { name.contains("rocksdb/\($0)") } && !name.contains("OPTIONS")
        }
        var told = 0
        for round in 0..<120 {
            let name = names.randomElement(using: &random)!
            var bytes = try sample.files.bytes(name)
            guard !bytes.isEmpty else { continue }
            let damage = Damage.allCases.randomElement(using: &random)!
            let place = Int.random(in: 0..<bytes.count, using: &random)
            damage.apply(to: &bytes, at: place, count: Int.random(in: 1...5_000, using: &random))
            let folder = try sample.copy { try $0.write(bytes, to: name) }
            let what = "seed \(seed), round \(round): \(name) \(damage) at \(place)"
            do {
                let contents = try StoreContents(RocksDBStore(folder: folder, .likeModel))
                let difference = contents.difference(from: sample.contents)
                #expect(difference == nil, "\(what): \(difference ?? "")")
            } catch let error as StoreError {
                told += 1
                #expect(error.code == .damaged || error.code == .system || error.code == .format, "\(what): \(error)")
            }
        }
        #expect(told > 60, "seed \(seed)")
    }

    @Test("A damaged log is told also when the links of its batches fill their memtable first")
    func afterLinks() throws {
        let folder = try TemporaryFolder()
        let files = FileTree(folder.path + "/data")
        do {
            let store = try RocksDBStore(folder: files.path, .small)
            var commits = Commits(store: store)
            // Small batches, until RocksDB has flushed some family.
            while store.statistics.tableBytes == 0 {
                let batch = store.lastBatch
                try #require(batch < 20_000)
                try commits.add(events: 0, bytes: 0, records: [StoredRecord("recipient \(batch)", "text")])
            }
        }
        let contents = try StoreContents(RocksDBStore(folder: files.copy(to: folder.path + "/sound").path, .small))
        for log in try files.logs() {
            let sound = try files.bytes(log)
            for (damage, place) in Damage.allCases.flatMap({ damage in
                [50, sound.count / 2, sound.count - 50].map { (damage, $0) }
            }) where sound.indices.contains(place) {
                var bytes = sound
                damage.apply(to: &bytes, at: place, count: 50)
                let copy = try files.copy(to: folder.path + "/copy")
                try copy.write(bytes, to: log)
                do {
                    let difference = try StoreContents(RocksDBStore(folder: copy.path, .small)).difference(
                        from: contents)
                    #expect(difference == nil, "\(log) \(damage) at \(place) of \(sound.count): \(difference ?? "")")
                } catch let error as StoreError {
                    #expect(error.code == .damaged, "\(log) \(damage) at \(place): \(error)")
                }
            }
        }
    }

    @Test("A file that is missing is told")
    func missing() throws {
        let sample = try Sample()
        for name in try sample.files.names()
        where name.hasSuffix(".sst") || name.hasSuffix("CURRENT")
            || name.contains("MANIFEST") || name == "acknowledged" || name == "store" || name == sample.log
        {
            let error = fault(try sample.copy { try $0.remove(name) })
            #expect(error?.code == .damaged, "\(name): \(error?.description ?? "")")
        }
    }

    @Test("A file of numbers that says less than the log has is late, not wrong")
    func late() throws {
        let sample = try Sample()
        let early = try TemporaryFolder()
        do { _ = try RocksDBStore(folder: early.path, .likeModel) }
        let zero = try FileTree(early.path).bytes("acknowledged")
        let folder = try sample.copy { try $0.write(zero, to: "acknowledged") }
        let contents = try StoreContents(RocksDBStore(folder: folder, .likeModel))
        #expect(contents.difference(from: sample.contents) == nil)
    }

    @Test("A store of a later version is refused by its version")
    func laterVersion() throws {
        let sample = try Sample()
        let folder = try sample.copy {
            try $0.write(Array("ration store format 3\nlog 7f3a\nmore\n".utf8), to: "store")
        }
        let error = fault(folder)
        #expect(error?.code == .format)
        #expect(
            error?.description
                == "\(folder)/store: its format is version 3; this program knows version 2; a later version of this program made it: "
                + "use that one")
    }

    @Test("A database that belongs to another log is told")
    func anotherLog() throws {
        let sample = try Sample()
        let folder = try sample.copy { try $0.write(Array("ration store format 2\nlog 7f3a\n".utf8), to: "store") }
        let error = fault(folder)
        #expect(error?.code == .damaged)
        #expect(error?.message == "the database is of another log than '7f3a', which the file store names")
    }
}
