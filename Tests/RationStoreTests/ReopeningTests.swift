import Foundation
import RationModel
import RationStore
import Testing

@Suite("RocksDB: what was committed is there again")
struct ReopeningTests {
    @Test("A reopened store has its log's name and holds exactly what was committed", arguments: [1, 2, 3] as [UInt64])
    func reopened(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let model = Model(GeneratedCommits(seed: seed))
        var log: String?
        // More than the memtables hold: some of it is in table files, some in logs.
        for steps in [0, 1, 2, 50, 300, 301] as [UInt64] {
            let store = try RocksDBStore(folder: folder.path + "/data", .likeModel)
            #expect(log == nil || store.log == log)
            log = store.log
            try check(store, model, "seed \(seed), reopened before \(steps)")
            while GeneratedCommits.steps(store) < steps { try model.commits.step(store) }
            try model.advance(to: steps)
            try check(store, model, "seed \(seed), \(steps) steps")
        }
    }

    private func check(_ store: RocksDBStore, _ model: Model, _ place: String) throws {
        let difference = try StoreContents(store).difference(from: StoreContents(model.store))
        #expect(difference == nil, "\(place): \(difference ?? "")")
    }

    @Test("A copy for a backup opens by itself, with the same log's name, as the store was then")
    func copied() throws {
        let folder = try TemporaryFolder()
        let model = Model(GeneratedCommits(seed: 9))
        do {
            let store = try RocksDBStore(folder: folder.path + "/data", .likeModel)
            for _ in 1...40 { try model.commits.step(store) }
            _ = try store.backup(to: folder.path + "/copy")
            for _ in 1...40 { try model.commits.step(store) }
            let copy = try RocksDBStore(folder: folder.path + "/copy", .likeModel)
            #expect(copy.log == store.log)
            try model.advance(to: 40)
            try check(copy, model, "the copy")
            try model.advance(to: 80)
            try check(store, model, "the store")
        }
    }

    @Test("A second process, or a second store in this one, is told that the store is in use")
    func locked() throws {
        let folder = try TemporaryFolder()
        let store = try RocksDBStore(folder: folder.path, .small)
        let error = #expect(throws: StoreError.self) { try RocksDBStore(folder: folder.path, .small) }
        #expect(error?.code == .locked && error?.isRetryable == true)
        #expect(error?.description == "\(folder.path)/rocksdb: another process has the store open")
        #expect(store.failure == nil)
    }

    @Test("A killed process loses nothing that it had committed, whenever it is killed")
    func killed() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let folder = try TemporaryFolder()
        let (data, progress) = (folder.path + "/data", folder.path + "/progress")
        let model = Model(GeneratedCommits(seed: seed))
        var random = SystemRandomNumberGenerator()
        for round in 1...8 {
            let microseconds = UInt32.random(in: 0...150_000, using: &random)
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [
                    data = data as String, progress = progress as String, seed = seed as UInt64,
                    microseconds = microseconds as UInt32
                ] in
                Thread.detachNewThread {
                    usleep(microseconds)
                    kill(getpid(), SIGKILL)
                }
                try Self.commitForEver(data: data, progress: progress, seed: seed)
            }
            let store = try RocksDBStore(folder: data, .likeModel)
            let (steps, committed) = (GeneratedCommits.steps(store), Self.read(progress))
            #expect(steps == committed || steps == committed + 1, "seed \(seed), round \(round), \(microseconds) µs")
            try model.advance(to: steps)
            try check(store, model, "seed \(seed), round \(round), \(microseconds) µs, \(steps) steps")
        }
    }

    /// Notes in a file how many steps were taken.
    private static func commitForEver(data: String, progress: String, seed: UInt64) throws {
        let store = try RocksDBStore(folder: data, .likeModel)
        let commits = GeneratedCommits(seed: seed)
        let file = open(progress, O_WRONLY | O_CREAT, 0o600)
        while true {
            var steps = GeneratedCommits.steps(store)
            pwrite(file, &steps, 8, 0)
            try commits.step(store)
        }
    }

    private static func read(_ progress: String) -> UInt64 {
        let file = open(progress, O_RDONLY)
        defer { close(file) }
        var steps: UInt64 = 0
        pread(file, &steps, 8, 0)
        return steps
    }

    @Test("Cut anywhere in what was written last, a log still holds all that was committed before")
    func powerLoss() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        let folder = try TemporaryFolder()
        let model = Model(GeneratedCommits(seed: seed))
        let data = folder.path + "/data"
        do {
            let store = try RocksDBStore(folder: data, .likeModel)
            for _ in 1...12 { try model.commits.step(store) }
        }
        let files = FileTree(data)
        var store: RocksDBStore? = try RocksDBStore(folder: data, .likeModel)
        // Opening has flushed all; the log now holds what follows.
        try #require(store.map { GeneratedCommits.steps($0) } == 12)
        for step in 13...18 as ClosedRange<UInt64> {
            let before = try files.newestLog()
            let acknowledged = try files.bytes("acknowledged")
            try store.map { try model.commits.step($0) }
            let after = try files.newestLog()
            try #require(before.name == after.name && before.count < after.count)
            try model.advance(to: step - 1)
            for cut in Self.cuts(before.count, after.count) {
                let copy = try files.copy(to: folder.path + "/copy")
                try copy.truncate(after.name, to: cut)
                try copy.write(acknowledged, to: "acknowledged")
                try check(
                    RocksDBStore(folder: copy.path, .likeModel), model,
                    "seed \(seed), step \(step), cut at \(cut) of \(before.count) to \(after.count)")
            }
        }
        store = nil
    }

    private static func cuts(_ before: Int, _ after: Int) -> Set<Int> {
        [before, before + 1, before + 7, (before + after) / 2, after - 1]
    }
}
