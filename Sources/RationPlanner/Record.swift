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
    init(_ bytes: [UInt8], at start: UInt32) {
        self = bytes.withUnsafeBytes { buffer in
            let offset = Int(start)
            let idCount = Int(buffer.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
            let typeCount = Int(buffer[offset + 2])
            let marks = buffer[offset + 3]
            let contentCount = Int(buffer.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self))
            var position = offset + Self.headerBytes
            var trigger: Int64 = 0
            var expires = Instant.distantFuture
            if marks & Self.hasTrigger != 0 {
                trigger = buffer.loadUnaligned(fromByteOffset: position, as: Int64.self)
                position += 8
            }
            if marks & Self.hasExpires != 0 {
                expires = Instant(milliseconds: buffer.loadUnaligned(fromByteOffset: position, as: Int64.self))
                position += 8
            }
            return Record(
                trigger: trigger, expires: expires,
                id: ByteRange(offset: position, count: idCount),
                type: ByteRange(offset: position + idCount, count: typeCount),
                content: ByteRange(offset: position + idCount + typeCount, count: contentCount),
                byteCount: position + idCount + typeCount + contentCount - offset)
        }
    }

    private init(
        trigger: Int64, expires: Instant, id: ByteRange, type: ByteRange, content: ByteRange, byteCount: Int
    ) {
        self.trigger = trigger
        self.expires = expires
        self.id = id
        self.type = type
        self.content = content
        self.byteCount = byteCount
    }

    /// Packs a record to the end of `target`.
    /// - Parameters:
    ///   - intent: names id, type, content and expiry in `source`.
    ///   - trigger: as the property of the same name.
    /// - Returns: where it starts.
    static func append(
        _ intent: Intent, trigger: Int64, from source: ByteArena, to target: inout [UInt8]
    ) -> UInt32 {
        let start = UInt32(truncatingIfNeeded: target.count)
        let hasExpiry = intent.expires != .distantFuture
        source.bytes.withUnsafeBytes { bytes in
            func part(_ range: ByteRange) -> UnsafeRawBufferPointer {
                UnsafeRawBufferPointer(rebasing: bytes[Int(range.offset)..<Int(range.offset + range.count)])
            }
            // Lengths are limited by validation: id 256, type 64, content by the size of a request (2 MiB).
            var header = UInt64(intent.id.count) | UInt64(intent.type.count) << 16 | UInt64(intent.content.count) << 32
            header |= UInt64((trigger != 0 ? hasTrigger : 0) | (hasExpiry ? Self.hasExpires : 0)) << 24
            withUnsafeBytes(of: header.littleEndian) { target.append(contentsOf: $0) }
            if trigger != 0 { withUnsafeBytes(of: trigger.littleEndian) { target.append(contentsOf: $0) } }
            if hasExpiry {
                withUnsafeBytes(of: intent.expires.milliseconds.littleEndian) { target.append(contentsOf: $0) }
            }
            target.append(contentsOf: part(intent.id))
            target.append(contentsOf: part(intent.type))
            target.append(contentsOf: part(intent.content))
        }
        return start
    }
}
