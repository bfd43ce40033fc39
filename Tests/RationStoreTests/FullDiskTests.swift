import Foundation
import RationModel
import RationStore
import Testing

/// A small disk in memory, to be filled and to be made read-only. Only root can have one.
final class SmallDisk {
    let path: String

    static let canMount = getuid() == 0 && (try? SmallDisk(megabytes: 1)) != nil

    init(megabytes: Int) throws {
        path = NSTemporaryDirectory() + "ration-disk-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            let code = errno
            try FileManager.default.removeItem(atPath: path)
            throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EPERM)
        }
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    func makeReadOnly() -> Bool {
        mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    var freeBytes: Int {
        var status = statvfs()
        statvfs(path, &status)
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    /// Leaves so many bytes free.
    func fill(leaving free: Int) {
        let file = open(path + "/filler", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(file) }
        let zeros = [UInt8](repeating: 0, count: 4_096)
        while freeBytes > free, write(file, zeros, zeros.count) > 0 {}
    }

    func empty() {
        unlink(path + "/filler")
    }
}

@Suite(
    "RocksDB: a disk that is full or cannot be written",
    .enabled(if: SmallDisk.canMount, "mounting a small disk needs root"))
struct FullDiskTests {
    private static let mebibyte = 1 << 20

    private static var settings: StoreSettings {
        var settings = StoreSettings.likeModel
        settings.watermarkBytes = 12 * mebibyte
        settings.ballastBytes = 6 * mebibyte
        return settings
    }

    /// Waits for what the store sees at its next look at the disk.
    private func wait(until isTrue: () -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 10)
        while !isTrue() {
            guard Date() < deadline else { return false }
            usleep(5_000)
        }
        return true
    }

    @Test("Below the watermark there is no room, above it there is again, and commits go on meanwhile")
    func watermark() throws {
        let disk = try SmallDisk(megabytes: 40)
        let store = try RocksDBStore(folder: disk.path + "/data", Self.settings)
        let commits = GeneratedCommits(seed: 4)
        try commits.step(store)
        #expect(store.hasRoom)
        disk.fill(leaving: 11 * Self.mebibyte)
        #expect(wait { !store.hasRoom })
        for _ in 1...5 { try commits.step(store) }
        disk.empty()
        #expect(wait { store.hasRoom })
        #expect(store.failure == nil)
    }

    @Test("The watermark is the larger of bytes and percent")
    func percent() throws {
        let disk = try SmallDisk(megabytes: 40)
        var settings = StoreSettings.likeModel
        settings.watermarkPercent = 90
        #expect(try !RocksDBStore(folder: disk.path + "/data", settings).hasRoom)
        settings.watermarkPercent = 10
        #expect(try RocksDBStore(folder: disk.path + "/data", settings).hasRoom)
    }

    @Test(
        "A commit on a full disk ends the store; a start releases the ballast, and all that was acknowledged is there")
    func full() throws {
        let disk = try SmallDisk(megabytes: 40)
        let data = disk.path + "/data"
        let model = Model(GeneratedCommits(seed: 5))
        var committed: UInt64 = 0
        do {
            let store = try RocksDBStore(folder: data, Self.settings)
            for _ in 1...100 { try model.commits.step(store) }
            #expect(access(data + "/ballast", F_OK) == 0)
            disk.fill(leaving: 0)
            let error = #expect(throws: StoreError.self) {
                while true {
                    committed = GeneratedCommits.steps(store)
                    try model.commits.step(store)
                }
            }
            #expect(error?.code == .noSpace && error?.isRetryable == true, "\(error?.description ?? "")")
            #expect(error?.message.hasPrefix("batch \(store.lastBatch + 1) may be written or not: ") == true)
            let later = #expect(throws: StoreError.self) { try model.commits.step(store) }
            #expect(later == error && store.failure as? StoreError == error)
        }
        do {
            let store = try RocksDBStore(folder: data, Self.settings)
            #expect(access(data + "/ballast", F_OK) != 0)
            let steps = GeneratedCommits.steps(store)
            #expect(steps == committed || steps == committed + 1)
            try model.advance(to: steps)
            #expect(try StoreContents(store).difference(from: StoreContents(model.store)) == nil)
            #expect(!store.hasRoom)
            try model.commits.step(store)
            disk.empty()
            #expect(wait { store.hasRoom && access(data + "/ballast", F_OK) == 0 })
        }
    }

    @Test("Without ballast a start on a full disk says so, and loses nothing")
    func fullStart() throws {
        let disk = try SmallDisk(megabytes: 40)
        let data = disk.path + "/data"
        let model = Model(GeneratedCommits(seed: 6))
        var settings = Self.settings
        settings.ballastBytes = 0
        do {
            let store = try RocksDBStore(folder: data, settings)
            for _ in 1...100 { try model.commits.step(store) }
        }
        disk.fill(leaving: 0)
        let error = #expect(throws: StoreError.self) { try RocksDBStore(folder: data, settings) }
        #expect(error?.code == .noSpace, "\(error?.description ?? "")")
        disk.empty()
        try model.advance(to: 100)
        let store = try RocksDBStore(folder: data, settings)
        #expect(try StoreContents(store).difference(from: StoreContents(model.store)) == nil)
    }

    @Test("A disk that cannot be written is told at the start")
    func readOnly() throws {
        let disk = try SmallDisk(megabytes: 40)
        let data = disk.path + "/data"
        do { try GeneratedCommits(seed: 7).step(RocksDBStore(folder: data, Self.settings)) }
        try #require(disk.makeReadOnly())
        let error = #expect(throws: StoreError.self) { try RocksDBStore(folder: data, Self.settings) }
        #expect(error?.code == .readOnly, "\(error?.description ?? "")")
        #expect(error?.description.contains("Read-only file system") == true)
        let new = #expect(throws: StoreError.self) { try RocksDBStore(folder: disk.path + "/new", Self.settings) }
        #expect(new?.code == .readOnly, "\(new?.description ?? "")")
    }
}
