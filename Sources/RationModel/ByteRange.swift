/// A stretch of a byte buffer that its owner names: an offset and a count, 8 bytes.
public struct ByteRange: Hashable, Sendable, BitwiseCopyable {
    public var offset: UInt32
    public var count: UInt32

    @inlinable
    public init(offset: Int, count: Int) {
        precondition(offset >= 0 && count >= 0 && offset + count <= Int(UInt32.max), "\(count) bytes at \(offset)")
        self.offset = UInt32(truncatingIfNeeded: offset)
        self.count = UInt32(truncatingIfNeeded: count)
    }

    /// No bytes: stands for an absent field.
    public static let empty = ByteRange(offset: 0, count: 0)

    @inlinable
    public var isEmpty: Bool { count == 0 }
}

/// A growing buffer of bytes whose parts are named by `ByteRange`; below 4 GiB, which is checked.
public struct ByteArena: Sendable {
    public var bytes: [UInt8] = []

    public init() {}

    @inlinable
    public var count: Int { bytes.count }

    /// Forgets the content and keeps the memory.
    @inlinable
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Copies bytes to the end.
    @inlinable
    public mutating func append(_ source: UnsafeRawBufferPointer) -> ByteRange {
        let range = ByteRange(offset: bytes.count, count: source.count)
        bytes.append(contentsOf: source)
        return range
    }

    @inlinable
    public mutating func append(_ text: String) -> ByteRange {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        return ByteRange(offset: start, count: bytes.count - start)
    }

    /// Lends the bytes of a range; they are valid inside `body` only.
    @inlinable
    public func with<Result>(_ range: ByteRange, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes {
            body(UnsafeRawBufferPointer(rebasing: $0[Int(range.offset)..<Int(range.offset + range.count)]))
        }
    }

    /// The bytes of a range as a string, for cold paths.
    public func text(_ range: ByteRange) -> String {
        with(range) { String(decoding: $0, as: UTF8.self) }
    }
}
