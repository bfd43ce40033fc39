import FailingSync
import Foundation
import RationModel
import RationStore
import Testing

@Suite("RocksDB: a disk that fails")
struct FailingDiskTests {
    @Test("A sync that fails ends the store: nothing of its batch is shown, no later commit is taken")
    func sync() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        await #expect(processExitsWith: .success) { [data = data as String] in
            let store = try RocksDBStore(folder: data, .likeModel)
            let commits = GeneratedCommits(seed: 8)
            for _ in 1...10 { try commits.step(store) }
            let before = try StoreContents(store)
            ration_let_syncs_fail(1)
            let error = #expect(throws: StoreError.self) { try commits.step(store) }
            #expect(error?.code == .system)
            ration_let_syncs_fail(0)
            #expect(throws: StoreError.self) { try commits.step(store) }
            #expect(store.failure as? StoreError == error)
            #expect(store.lastBatch == before.lastBatch && store.range == before.range)
            #expect(try store.rows(after: 0, bytes: .max) == before.rows)
            #expect(store.failure as? StoreError == error)
        }
        let model = Model(GeneratedCommits(seed: 8))
        let store = try RocksDBStore(folder: data, .likeModel)
        let steps = GeneratedCommits.steps(store)
        #expect(steps == 10 || steps == 11)
        try model.advance(to: steps)
        #expect(try StoreContents(store).difference(from: StoreContents(model.store)) == nil)
    }

    @Test("A write that fails ends the store, and what was acknowledged is there again")
    func write() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        await #expect(processExitsWith: .success) { [data = data as String] in
            var settings = StoreSettings.likeModel
            settings.memtableBytes = 8 << 20
            settings.logBytes = 32 << 20
            let store = try RocksDBStore(folder: data, settings)
            let commits = GeneratedCommits(seed: 8)
            for _ in 1...10 { try commits.step(store) }
            // No file of this process may grow beyond what the log has by now, and a little.
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: rlim_t(try FileTree(data).newestLog().count + 10), rlim_max: rlim_t.max)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #expect(throws: StoreError.self) { for _ in 1...10 { try commits.step(store) } }
            #expect(throws: StoreError.self) { try commits.step(store) }
        }
        let model = Model(GeneratedCommits(seed: 8))
        let store = try RocksDBStore(folder: data, .likeModel)
        #expect(GeneratedCommits.steps(store) >= 10)
        try model.advance(to: GeneratedCommits.steps(store))
        #expect(try StoreContents(store).difference(from: StoreContents(model.store)) == nil)
    }

    @Test(
        "A folder that is made is synced in the one that it stands in: the store's, a backup's and a restored store's")
    func folders() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path
        await #expect(processExitsWith: .success) { [path = path as String] in
            for name in ["a", "b", "c"] {
                try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: false)
            }
            let store = try RocksDBStore(folder: path + "/a/store", .likeModel)
            #expect(ration_was_synced(path + "/a") != 0)
            #expect(ration_was_synced(path + "/b") == 0)
            _ = try store.backup(to: path + "/b/backup")
            #expect(ration_was_synced(path + "/b") != 0)
            #expect(ration_was_synced(path + "/c") == 0)
            _ = try StoreRestore.restore(path + "/b/backup", to: path + "/c/store")
            #expect(ration_was_synced(path + "/c") != 0)
        }
    }
}
