import RationModel

/// What a record holds of a content that a store keeps: `position u64, hash u64, count u16, [thread u64]`. Nothing for an
/// empty one.
struct StoredContent {
    /// Where the content stands.
    var position: ContentPosition
    /// Of the content: two of one length and hash count as the same.
    var hash: UInt64
    var count: Int
    /// As `RuledNotification.thread`.
    var thread: UInt64

    private static let shortBytes = 18
    private static let longBytes = 26

    /// - Parameter content: canonical JSON, not empty.
    init(_ content: UnsafeRawBufferPointer, at position: ContentPosition) {
        self.position = position
        hash = ByteHash.hash(content, seed: 0)
        count = content.count
        thread = RuledNotification.thread(inCanonical: content)
    }

    /// Reads what `append` has written.
    /// - Parameter bytes: not empty.
    init(_ bytes: UnsafeRawBufferPointer) {
        precondition(bytes.count == Self.shortBytes || bytes.count == Self.longBytes, "\(bytes.count) bytes of content")
        position = ContentPosition(rawValue: bytes.loadUnaligned(as: UInt64.self))
        hash = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        count = Int(bytes.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
        thread = bytes.count == Self.shortBytes ? 0 : bytes.loadUnaligned(fromByteOffset: 18, as: UInt64.self)
    }

    static func isWhole(byteCount: Int) -> Bool { byteCount == 0 || byteCount == shortBytes || byteCount == longBytes }

    /// Moves the content of a record.
    /// - Parameter place: where the record's content begins.
    static func setPosition(_ position: ContentPosition, at place: Int, in bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: position.rawValue, toByteOffset: place, as: UInt64.self)
    }

    /// Puts it to the end of a buffer that it replaces the content of.
    func assign(to target: inout OwnedBuffer<UInt8>) {
        target.removeAll()
        target.put(position.rawValue)
        target.put(hash)
        target.put(UInt16(truncatingIfNeeded: count))
        if thread != 0 { target.put(thread) }
    }

    /// Whether it is a given content.
    func isSame(as content: UnsafeRawBufferPointer) -> Bool {
        count == content.count && hash == ByteHash.hash(content, seed: 0)
    }

    func isSame(as other: StoredContent) -> Bool { count == other.count && hash == other.hash }
}
