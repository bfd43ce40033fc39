import RationModel
import TestSupport
import Testing

@testable import RationStore

@Suite("A disk in memory under the store")
struct MemoryDiskTests {
    static func settings(_ disk: MemoryDisk) -> StoreSettings {
        var settings = StoreSettings()
        settings.watermarkBytes = 0
        settings.watermarkPercent = 0
        settings.ballastBytes = 0
        settings.memtableBytes = 64 << 10
        settings.logBytes = 256 << 10
        settings.disk = disk
        return settings
    }

    static func store(_ disk: MemoryDisk) throws -> RocksDBStore {
        try RocksDBStore(folder: "/data", settings(disk)) { "simulated" }
    }

    static func commit(_ store: RocksDBStore, _ random: inout SplitMix64) throws {
        let batch = store.lastBatch + 1
        let row = [UInt8](repeating: UInt8(truncatingIfNeeded: batch), count: Int(random.next() % 3_000) + 1)
        try store.commit(
            Commit(
                batch: batch, now: Instant(milliseconds: Int64(batch)), firstSequence: store.range.last + 1,
                eventCount: 1, events: row, answers: [], intents: row, outcomes: row))
    }

    /// Commits, crashes and starts again, all from one seed.
    /// - Returns: the disk's trace.
    private func run(seed: UInt64, _ crash: Crash) throws -> UInt64 {
        var random = SplitMix64(seed: seed)
        var disk = MemoryDisk()
        var committed: UInt64 = 0
        for _ in 0..<4 {
            disk.arm(crash, after: random.next() % 150 + 1, seed: random.next())
            do {
                let store = try Self.store(disk)
                #expect(store.lastBatch >= committed || disk.hasCrashed, "seed \(seed)")
                for _ in 0..<30 where !disk.hasCrashed {
                    try Self.commit(store, &random)
                    if !disk.hasCrashed { committed = store.lastBatch }
                    disk.runJobs(atMost: Int(random.next() % 3))
                }
            }
            disk = disk.after(crash, seed: random.next())
        }
        return disk.traceHash
    }

    @Test("what was committed survives every crash at any change of any file", arguments: Crash.allCases)
    func crashes(crash: Crash) throws {
        for seed in 1...100 as ClosedRange<UInt64> { _ = try run(seed: seed, crash) }
    }

    @Test("the same seed is the same run")
    func sameRun() throws {
        for seed in 1...10 as ClosedRange<UInt64> {
            #expect(try run(seed: seed, .power) == run(seed: seed, .power))
        }
    }
}
