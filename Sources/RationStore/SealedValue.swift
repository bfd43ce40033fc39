internal import RationModel

/// A value with a seal before it: a hash of key, batch and bytes, and the batch that wrote it. RocksDB has checksums of its
/// own for each block that it reads; the seal also finds a value that stands under another key.
struct SealedValue {
    /// Bytes of hash and batch.
    static let headCount = 16

    /// The hash that the seal holds.
    var hash: UInt64
    /// The batch that wrote the value.
    var batch: UInt64
    /// Fields of a fixed size between seal and body.
    var fields: UnsafeRawBufferPointer
    var body: UnsafeRawBufferPointer

    /// - Returns: nil for a value whose seal is broken.
    init?(_ value: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, fieldsCount: Int = 0) {
        guard value.count >= Self.headCount + fieldsCount else { return nil }
        hash = UInt64(littleEndian: value.loadUnaligned(as: UInt64.self))
        batch = UInt64(littleEndian: value.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        fields = UnsafeRawBufferPointer(rebasing: value[Self.headCount..<Self.headCount + fieldsCount])
        body = UnsafeRawBufferPointer(rebasing: value[(Self.headCount + fieldsCount)...])
        guard hash == Self.hash(key: key, batch: batch, fields: fields, body: body) else { return nil }
    }

    private static func hash(
        key: UnsafeRawBufferPointer, batch: UInt64, fields: UnsafeRawBufferPointer, body: UnsafeRawBufferPointer
    ) -> UInt64 {
        ByteHash.hash(body, seed: ByteHash.hash(fields, seed: ByteHash.hash(key, seed: batch)))
    }

    /// What stands before a body that is written under a key.
    static func head(key: [UInt8], batch: UInt64, fields: [UInt8] = [], body: [UInt8]) -> (hash: UInt64, bytes: [UInt8])
    {
        let hash = key.withUnsafeBytes { key in
            fields.withUnsafeBytes { fields in
                body.withUnsafeBytes { Self.hash(key: key, batch: batch, fields: fields, body: $0) }
            }
        }
        var head = FieldWriter()
        head.number(hash)
        head.number(batch)
        return (hash, head.bytes + fields)
    }
}
