import Foundation
import RationModel
import Synchronization
import Testing

@testable import RationStore

@Suite("Backups and restores")
struct BackupTests {
    @Test(
        "A backup that is made while batches are committed is what the store was after one of them, and all before it")
    func whileCommitting() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let folder = try TemporaryFolder()
        let commits = GeneratedCommits(seed: seed)
        let model = Model(commits)
        let store = try RocksDBStore(folder: folder.path + "/data", .likeModel)
        for _ in 1...50 { try model.commits.step(store) }
        let isDone = Atomic(false)
        let ended = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        Thread.detachNewThread {
            do { while !isDone.load(ordering: .relaxed) { try commits.step(store) } } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
        var copies: [StoreCopy] = []
        for number in 1...8 {
            let least = store.lastBatch
            let copy = try store.backup(to: folder.path + "/copy\(number)")
            #expect(copy.batch >= least && copy.batch <= store.lastBatch && copy.log == store.log)
            copies.append(copy)
        }
        isDone.store(true, ordering: .relaxed)
        ended.wait()
        #expect(failure.withLock { $0 } == nil)
        for copy in copies {
            let opened = try RocksDBStore(folder: copy.path, .likeModel)
            #expect(opened.lastBatch == copy.batch && opened.range.last == copy.sequence)
            try model.advance(to: GeneratedCommits.steps(opened))
            let difference = try StoreContents(opened).difference(from: StoreContents(model.store))
            #expect(difference == nil, "seed \(seed): \(difference ?? "")")
        }
    }

    @Test("A backup into a folder that has anything is refused, and changes nothing there")
    func notEmpty() throws {
        let folder = try TemporaryFolder()
        let store = try RocksDBStore(folder: folder.path + "/data", .small)
        let there = folder.path + "/there"
        try FileManager.default.createDirectory(atPath: there, withIntermediateDirectories: false)
        try Data("x".utf8).write(to: URL(fileURLWithPath: there + "/rocksdb"))
        let error = #expect(throws: StoreError.self) { try store.backup(to: there) }
        #expect(error?.description == "\(there): the folder is not empty: it has 'rocksdb'")
        #expect(try FileTree(there).names() == ["rocksdb"])
        try FileTree(there).remove("rocksdb")
        _ = try store.backup(to: there)
        #expect(store.failure == nil)
    }

    @Test("A backup that is damaged while it is made is told, and nothing of it is left")
    func failing() throws {
        let folder = try TemporaryFolder()
        let store = try RocksDBStore(folder: folder.path + "/data", .small)
        var commits = Commits(store: store)
        for _ in 0..<20 { try commits.add(events: 1, bytes: 100) }
        // Its links are the store's own files.
        _ = try store.backup(to: folder.path + "/first")
        let tables = try FileTree(folder.path + "/first").names(ending: ".sst")
        #expect(!tables.isEmpty)
        for table in tables {
            let file = try #require(FileHandle(forWritingAtPath: folder.path + "/first/" + table))
            try file.truncate(atOffset: 0)
        }
        #expect(throws: StoreError.self) { try store.backup(to: folder.path + "/second") }
        #expect(try FileTree(folder.path + "/second").names() == [])
    }

    private func backup(_ folder: TemporaryFolder, seed: UInt64 = 5, steps: UInt64 = 60) throws -> Model {
        let model = Model(GeneratedCommits(seed: seed))
        let store = try RocksDBStore(folder: folder.path + "/data", .likeModel)
        for _ in 1...steps { try model.commits.step(store) }
        _ = try store.backup(to: folder.path + "/backup")
        try model.advance(to: steps)
        return model
    }

    @Test(
        "A restored store has all of the backup under another log's name, goes on from there, and leaves the backup as it was"
    )
    func restored() throws {
        let folder = try TemporaryFolder()
        let model = try backup(folder)
        let before = try FileTree(folder.path + "/backup").names().map {
            try FileTree(folder.path + "/backup").bytes($0)
        }
        let (copy, from) = try StoreRestore.restore(
            folder.path + "/backup", to: folder.path + "/restored", .likeModel)
        let after = try FileTree(folder.path + "/backup").names().map {
            try FileTree(folder.path + "/backup").bytes($0)
        }
        #expect(before == after)
        for _ in 1...2 {
            let store = try RocksDBStore(folder: folder.path + "/restored", .likeModel)
            #expect(store.log == copy.log && copy.log != from.log)
            let difference = try StoreContents(store).difference(from: StoreContents(model.store))
            #expect(difference == nil, "\(difference ?? "")")
            for _ in 1...20 { try model.commits.step(store) }
            try model.advance(to: GeneratedCommits.steps(store))
        }
    }

    @Test("Wherever a backup or a restore ends in the middle, nothing opens what it leaves")
    func interrupted() throws {
        let folder = try TemporaryFolder()
        _ = try backup(folder)
        let whole = FileTree(folder.path + "/backup")
        // In the order in which they are made.
        let made = ["unfinished", "rocksdb", "acknowledged", "store"]
        try whole.write([], to: "unfinished")
        for count in 1...made.count {
            let half = try whole.copy(to: folder.path + "/half")
            for name in made.dropFirst(count) { try half.remove(name) }
            let error = #expect(throws: StoreError.self) { try RocksDBStore(folder: half.path, .likeModel) }
            #expect(error?.message == "it is a copy that was not finished; remove the folder and copy again")
            #expect(throws: StoreError.self) {
                try StoreRestore.restore(half.path, to: folder.path + "/never", .likeModel)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/never"))
        }
    }

    @Test("A restore of a damaged backup is told, and of a backup onto a folder that is there, too")
    func refused() throws {
        let folder = try TemporaryFolder()
        _ = try backup(folder)
        let copy = try FileTree(folder.path + "/backup").copy(to: folder.path + "/damaged")
        let table = try #require(copy.names(ending: ".sst").last)
        try copy.remove(table)
        let error = #expect(throws: StoreError.self) {
            try StoreRestore.restore(copy.path, to: folder.path + "/restored", .likeModel)
        }
        #expect(error?.code == .damaged)
        let there = #expect(throws: StoreError.self) {
            try StoreRestore.restore(folder.path + "/backup", to: folder.path + "/data", .likeModel)
        }
        #expect(there?.message == "cannot make the folder of the restored store: File exists")
    }
}
