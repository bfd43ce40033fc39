internal import Glibc
internal import RationModel

/// How far a log must go at least.
struct Acknowledged: Hashable {
    /// The last batch.
    var batch: UInt64
    /// Revisions that were committed.
    var revisions: UInt64
    /// RocksDB's manifest as it was seen last.
    var manifest: Manifest

    private static let seed: UInt64 = 0x61636b

    var bytes: [UInt8] {
        var writer = FieldWriter()
        writer.number(batch)
        writer.number(revisions)
        writer.number(manifest.number)
        writer.number(manifest.count)
        writer.number(manifest.hash)
        let hash = writer.bytes.withUnsafeBytes { ByteHash.hash($0, seed: Self.seed) }
        writer.number(hash)
        return writer.bytes
    }

    init(_ link: BatchLink, _ manifest: Manifest) {
        batch = link.batch
        revisions = link.revisions
        self.manifest = manifest
    }

    /// - Returns: nil for bytes that are none.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == 48 else { return nil }
        (batch, revisions, manifest) = bytes.withUnsafeBytes { bytes in
            var reader = FieldReader(bytes)
            func next() -> UInt64 { reader.number() ?? 0 }
            return (next(), next(), Manifest(number: next(), count: next(), hash: next()))
        }
        guard bytes == self.bytes else { return nil }
    }
}

/// The file of the last committed batch's number: a log that ends before it has lost what was acknowledged, for instance
/// because a file was cut at a record's edge, which no checksum tells.
///
/// It is written after each commit and synced once a second while commits come; when they cease, Linux writes it back within
/// about half a minute (`vm.dirty_expire_centisecs`). So it may lag by that much, and is never ahead.
struct AcknowledgedFile: ~Copyable {
    private let path: String
    private let file: Int32
    private var syncedAt: Int64 = 0
    private static let syncMilliseconds: Int64 = 1_000

    /// - Throws: `StoreError` when the file cannot be opened or made.
    init(_ path: String) throws(StoreError) {
        self.path = path
        file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errnoAt: path, "cannot open it") }
    }

    deinit {
        close(file)
    }

    /// What the file says.
    /// - Returns: nil for a file that is not there.
    static func read(_ path: String) throws(StoreError) -> Acknowledged? {
        guard let bytes = try SmallFile.read(path) else { return nil }
        guard let acknowledged = Acknowledged(bytes) else {
            throw StoreError(
                .damaged, path: path,
                "its \(bytes.count) bytes are not the number of the last batch that was acknowledged")
        }
        return acknowledged
    }

    /// - Parameter isSynced: whether it is on disk when this returns.
    mutating func write(_ acknowledged: Acknowledged, isSynced: Bool = false) throws(StoreError) {
        let bytes = acknowledged.bytes
        guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
            throw StoreError(errnoAt: path, "cannot write it")
        }
        let now = Monotonic.milliseconds()
        guard isSynced || now - syncedAt >= Self.syncMilliseconds else { return }
        syncedAt = now
        guard fdatasync(file) == 0 else { throw StoreError(errnoAt: path, "cannot sync it") }
    }
}

enum Monotonic {
    /// Milliseconds since some start; never back.
    static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
