import Foundation
import RationRocksDB
import Testing

@Suite("RocksDB's layer")
struct RocksDatabaseTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "ration-rocks-" + UUID().uuidString
    }

    /// Opens, lends and closes a database of two families; its folder goes afterwards.
    private func withDatabase(_ body: (RocksDatabase) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(try open())
    }

    private func open(
        createsIfMissing: Bool = true, _ names: [String] = ["default", "rows"]
    ) throws(RocksError) -> RocksDatabase {
        var options = RocksOptions()
        options.createsIfMissing = createsIfMissing
        return try RocksDatabase(
            folder: folder, options,
            families: names.map { RocksFamily($0, $0 == "rows" ? .rows : .records, memtableBytes: 1 << 20) })
    }

    private func value(_ database: RocksDatabase, _ family: Int, _ key: [UInt8]) throws -> [UInt8]? {
        try database.read(family, key) { $0.map { Array($0) } }
    }

    private func keys(_ database: RocksDatabase, _ family: Int) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        var iterator = database.iterator(family)
        var isOnKey = try iterator.seekToFirst()
        while isOnKey {
            keys.append(Array(iterator.key))
            isOnKey = try iterator.next()
        }
        return keys
    }

    @Test("A batch is nothing until it is written, then all of it is there, in its families")
    func batch() throws {
        try withDatabase { database in
            var batch = RocksBatch(for: database)
            batch.put(0, [1], [10])
            batch.put(1, [1], head: [20, 21], body: [22])
            batch.put(1, [2], head: [], body: [])
            #expect(try value(database, 0, [1]) == nil && batch.count == 3)
            try database.write(batch, isSynced: true)
            #expect(try value(database, 0, [1]) == [10] && value(database, 1, [1]) == [20, 21, 22])
            #expect(try value(database, 1, [2]) == [] && value(database, 0, [2]) == nil)
            batch.removeAll()
            #expect(batch.count == 0)
            batch.delete(1, [1])
            try database.write(batch, isSynced: false)
            #expect(try value(database, 1, [1]) == nil && value(database, 0, [1]) == [10])
        }
    }

    @Test("A range is deleted up to and without its end")
    func range() throws {
        try withDatabase { database in
            var batch = RocksBatch(for: database)
            for key in 0...9 as ClosedRange<UInt8> { batch.put(0, [key], [key]) }
            batch.deleteRange(0, [2], [5])
            try database.write(batch, isSynced: true)
            #expect(try keys(database, 0) == [0, 1, 5, 6, 7, 8, 9].map { [$0] })
        }
    }

    @Test(
        "An iterator finds the key at or after, at or before, first and last, and sees what was there when it was made")
    func iterator() throws {
        try withDatabase { database in
            var batch = RocksBatch(for: database)
            for key in [2, 4, 6] as [UInt8] { batch.put(0, [key], [key, key]) }
            try database.write(batch, isSynced: true)
            var iterator = database.iterator(0)
            batch.removeAll()
            batch.put(0, [8], [8])
            try database.write(batch, isSynced: true)
            #expect(try iterator.seek([3]) && iterator.key.elementsEqual([4]) && iterator.value.elementsEqual([4, 4]))
            #expect(try iterator.seek([4]) && iterator.key.elementsEqual([4]))
            #expect(try iterator.seekBack([3]) && iterator.key.elementsEqual([2]))
            #expect(try iterator.seekBack([4]) && iterator.key.elementsEqual([4]))
            #expect(try iterator.seekToLast() && iterator.key.elementsEqual([6]))
            #expect(try !iterator.next() && !iterator.seek([7]) && !iterator.seekBack([1]))
        }
    }

    @Test("Rows are moved, not rewritten, and whole files of them go at once")
    func rows() throws {
        try withDatabase { database in
            var batch = RocksBatch(for: database)
            for file in 0...4 as ClosedRange<UInt8> {
                batch.removeAll()
                for row in 0...9 as ClosedRange<UInt8> {
                    batch.put(1, [file, row], [UInt8](repeating: row, count: 10_000))
                }
                try database.write(batch, isSynced: true)
                try database.flush(1)
            }
            // Compaction moves files in the background.
            let deadline = Date(timeIntervalSinceNow: 20)
            while database.text("rocksdb.num-files-at-level1", of: 1) != "5", Date() < deadline { usleep(1_000) }
            #expect(database.text("rocksdb.num-files-at-level0", of: 1) == "0")
            #expect(database.text("rocksdb.num-files-at-level1", of: 1) == "5")
            try database.dropFiles(of: 1, upTo: [2, 5])
            #expect(try keys(database, 1).first == [2, 0], "the file that holds more stays")
            #expect(database.text("rocksdb.num-files-at-level1", of: 1) == "3")
            #expect(database.number("rocksdb.background-errors") == 0 && database.number("rocksdb.nothing") == nil)
        }
    }

    @Test("A checkpoint is a database of its own, as it was then")
    func checkpoint() throws {
        let copy = folder + "-copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try withDatabase { database in
            var batch = RocksBatch(for: database)
            batch.put(0, [1], [1])
            try database.write(batch, isSynced: true)
            try database.checkpoint(to: copy)
            batch.put(0, [2], [2])
            try database.write(batch, isSynced: true)
            let families = ["default", "rows"].map { RocksFamily($0, .records, memtableBytes: 1 << 20) }
            let other = try RocksDatabase(folder: copy, RocksOptions(), families: families)
            #expect(try keys(other, 0) == [[1]] && keys(database, 0) == [[1], [2]])
            let error = #expect(throws: RocksError.self) { try database.checkpoint(to: copy) }
            #expect(error?.code == .invalidArgument && error?.folder == copy)
        }
    }

    @Test("Errors are typed, with the folder and RocksDB's words")
    func errors() throws {
        let missing = #expect(throws: RocksError.self) { try open(createsIfMissing: false) }
        #expect(missing?.code == .invalidArgument && missing?.message.contains("does not exist") == true)
        try withDatabase { database in
            let locked = #expect(throws: RocksError.self) { try open() }
            #expect(locked?.code == .locked && locked?.isRetryable == true && locked?.folder == folder)
        }
        do { _ = try open() }
        let families = #expect(throws: RocksError.self) { try open(["default"]) }
        #expect(families?.code == .invalidArgument && families?.message.contains("rows") == true)
        try FileManager.default.removeItem(atPath: folder)
    }
}
