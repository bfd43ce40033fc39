internal import CRocksDB
internal import CRocksDBLog

/// The last warnings of databases that are being opened.
final class RocksLog {
    private let handle: OpaquePointer

    init() {
        guard let handle = ration_rocksdb_log_create() else { preconditionFailure("RocksDB makes no log") }
        self.handle = handle
    }

    deinit {
        ration_rocksdb_log_destroy(handle)
    }

    func use(in options: OpaquePointer) {
        ration_rocksdb_log_use(handle, options)
    }

    /// The error with what RocksDB told its log only: which write-ahead log is damaged, and how much of it.
    func explained(_ error: RocksError) -> RocksError {
        var explained = error
        var line = [UInt8](repeating: 0, count: 512)
        let count = line.withUnsafeMutableBytes {
            ration_rocksdb_log_last(
                handle, ": dropping ", $0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)
        }
        if count > 0 { explained.message += " (\(String(decoding: line.prefix(count), as: UTF8.self)))" }
        return explained
    }
}
