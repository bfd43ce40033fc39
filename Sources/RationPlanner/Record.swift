import RationModel

/// What is stored of a notification beside its dates, packed into its recipient's bytes:
/// `id length u16, type length u8, marks u8, content length u32, [trigger i64], [expires i64], id, type, content`.
/// The type is the one that the intent named itself; empty when it named none.
struct Record {
    /// Milliseconds of an `at` trigger's date as it was written, or of a repeating one's interval; 0 for `after`.
    var trigger: Int64
    var expires: Instant
    var id: ByteRange
    var type: ByteRange
    var content: ByteRange
    /// Bytes from the first to the last.
    var byteCount: Int

    private static let headerBytes = 8
    private static let hasTrigger: UInt8 = 1
    private static let hasExpires: UInt8 = 2

    /// Reads the record that starts at `start`.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, at start: UInt32) {
        let offset = Int(start)
        let header = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        let idCount = Int(header & 0xFFFF)
        let typeCount = Int(header >> 16 & 0xFF)
        let marks = UInt8(truncatingIfNeeded: header >> 24)
        let contentCount = Int(header >> 32)
        var position = offset + Self.headerBytes
        trigger = 0
        expires = .distantFuture
        if marks & Self.hasTrigger != 0 {
            trigger = bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)
            position += 8
        }
        if marks & Self.hasExpires != 0 {
            expires = Instant(milliseconds: bytes.loadUnaligned(fromByteOffset: position, as: Int64.self))
            position += 8
        }
        id = ByteRange(offset: position, count: idCount)
        type = ByteRange(offset: position + idCount, count: typeCount)
        content = ByteRange(offset: position + idCount + typeCount, count: contentCount)
        byteCount = position + idCount + typeCount + contentCount - offset
    }

    /// Packs a record to the end of `target`.
    /// - Parameters:
    ///   - intent: names id, type, content and expiry in `source`.
    ///   - trigger: as the property of the same name.
    /// - Returns: where it starts.
    static func append(
        _ intent: Intent, trigger: Int64, from source: UnsafeRawBufferPointer, to target: inout OwnedBuffer<UInt8>
    ) -> UInt32 {
        let start = UInt32(truncatingIfNeeded: target.count)
        let hasExpiry = intent.expires != .distantFuture
        // Lengths are limited by validation: id 256, type 64, content by the size of a request (2 MiB).
        var header = UInt64(intent.id.count) | UInt64(intent.type.count) << 16 | UInt64(intent.content.count) << 32
        header |= UInt64((trigger != 0 ? hasTrigger : 0) | (hasExpiry ? Self.hasExpires : 0)) << 24
        target.reserve(24 + Int(intent.id.count + intent.type.count + intent.content.count))
        append(header.littleEndian, to: &target)
        if trigger != 0 { append(trigger, to: &target) }
        if hasExpiry { append(intent.expires.milliseconds, to: &target) }
        _ = target.append(source.view(intent.id))
        _ = target.append(source.view(intent.type))
        _ = target.append(source.view(intent.content))
        return start
    }

    @inline(__always)
    private static func append(_ number: some FixedWidthInteger, to target: inout OwnedBuffer<UInt8>) {
        withUnsafeBytes(of: number) { _ = target.append($0) }
    }
}
