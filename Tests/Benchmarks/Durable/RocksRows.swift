import Foundation
import RationRocksDB

/// Batches of rows written into RocksDB, synced one by one: what the store's library does without a broker.
struct RocksRows {
    let batches: Int
    let bytesEach: Int
    /// A batch has one of intents, one of events and one of outcomes.
    private static let rowsEach = 3

    /// - Returns: seconds that the batches take, without opening and closing.
    func seconds(in folder: URL) throws -> Double {
        defer { try? FileManager.default.removeItem(at: folder) }
        var options = RocksOptions()
        options.createsIfMissing = true
        let families = ["default", "events", "outcomes"].map { RocksFamily($0, .rows, memtableBytes: 64 << 20) }
        let database = try RocksDatabase(folder: folder.path, options, families: families)
        var batch = RocksBatch(for: database)
        let row = [UInt8](unsafeUninitializedCapacity: bytesEach / Self.rowsEach) { bytes, count in
            count = bytesEach / Self.rowsEach
            for index in 0..<count { bytes[index] = UInt8(truncatingIfNeeded: index &* 167) }
        }
        return try MachineClock.seconds {
            for number in 0..<batches {
                batch.removeAll()
                let key = withUnsafeBytes(of: UInt64(number).bigEndian) { Array($0) }
                for family in 0..<Self.rowsEach { batch.put(family, key, row) }
                try database.write(batch, isSynced: true)
            }
        }
    }
}
