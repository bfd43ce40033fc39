import Foundation
import RationStore
import Testing

/// The stores that have to keep the contract of `Store`.
enum StoreKind: String, CaseIterable, Codable, CustomTestStringConvertible {
    case memory
    case rocksDB = "RocksDB"

    var testDescription: String { rawValue }
}

/// A store that has just been made, and its folder, which goes with this.
struct NewStore {
    let store: any Store
    private let folder: TemporaryFolder?

    init(_ kind: StoreKind, retentionBytes: Int = .max) throws {
        switch kind {
        case .memory:
            store = MemoryStore(log: "7f3a", retentionBytes: retentionBytes)
            folder = nil
        case .rocksDB:
            let folder = try TemporaryFolder()
            var settings = StoreSettings.small
            settings.retentionBytes = retentionBytes
            store = try RocksDBStore(folder: folder.path + "/data", settings)
            self.folder = folder
        }
    }
}

extension StoreSettings {
    /// Without watermark and ballast, and with memtables that fill in a test.
    static var small: StoreSettings {
        var settings = StoreSettings()
        settings.retentionBytes = .max
        settings.watermarkBytes = 0
        settings.watermarkPercent = 0
        settings.ballastBytes = 0
        settings.memtableBytes = 256 << 10
        settings.logBytes = 1 << 20
        return settings
    }
}

/// A new folder that is removed with its contents when nobody holds this any more.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "ration-store-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
