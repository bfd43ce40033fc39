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
    private let file: any OverwrittenFile
    private let disk: any StoreDisk
    private var syncedAt: Int64 = 0
    private static let syncMilliseconds: Int64 = 1_000

    /// Makes the file, or writes it anew. A crash leaves it with all of its bytes or not at all.
    /// - Throws: `StoreError` when the file cannot be opened or made.
    init(_ path: String, _ acknowledged: Acknowledged, on disk: any StoreDisk = SystemDisk()) throws(StoreError) {
        self.disk = disk
        try disk.replace(path, with: acknowledged.bytes)
        file = try disk.overwritten(path)
    }

    /// What the file says.
    /// - Returns: nil for a file that is not there.
    static func read(
        _ path: String, on disk: any StoreDisk = SystemDisk()
    ) throws(StoreError) -> Acknowledged? {
        guard let bytes = try disk.read(path, atMost: 4_096) else { return nil }
        guard let acknowledged = Acknowledged(bytes) else {
            throw StoreError(
                .damaged, path: path,
                "its \(bytes.count) bytes are not the number of the last batch that was acknowledged")
        }
        return acknowledged
    }

    mutating func write(_ acknowledged: Acknowledged) throws(StoreError) {
        try file.write(acknowledged.bytes)
        let now = disk.milliseconds()
        guard now - syncedAt >= Self.syncMilliseconds else { return }
        syncedAt = now
        try file.sync()
    }
}
