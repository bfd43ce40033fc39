import RationModel

/// Numbers and bytes as a core's state is kept (store.md): little-endian, lengths before bytes.
extension OwnedBuffer where Element == UInt8 {
    @inline(__always)
    mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { _ = append($0) }
    }

    @inline(__always)
    mutating func put(_ instant: Instant) { put(instant.milliseconds) }

    /// Bytes with their count in front, of two bytes.
    @inline(__always)
    mutating func put(counted bytes: UnsafeRawBufferPointer) {
        put(UInt16(truncatingIfNeeded: bytes.count))
        _ = append(bytes)
    }

    mutating func put(counted text: String) {
        var text = text
        text.withUTF8 { put(counted: UnsafeRawBufferPointer($0)) }
    }

    /// A value that may be absent: 0, or 1 and the value.
    mutating func put<Value>(_ value: Value?, _ write: (Value, inout OwnedBuffer<UInt8>) -> Void) {
        put(UInt8(value == nil ? 0 : 1))
        if let value { write(value, &self) }
    }
}

/// State that cannot be read: it is not what this version of the core has written.
public struct StateFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where in the bytes.
    public var offset: Int
    /// What was expected and what was found.
    public var message: String

    public var description: String { "byte \(offset): \(message)" }
}

/// Reads what `OwnedBuffer.put` has written; never past the end.
struct StateReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    /// How many bytes are not read yet.
    var left: Int { bytes.count - position }

    func fault(_ message: String) -> StateFault { StateFault(offset: position, message: message) }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger>(_: Number.Type = Number.self) throws(StateFault) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - position >= size else {
            throw fault("expected \(size) bytes, found \(bytes.count - position)")
        }
        defer { position += size }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
    }

    mutating func instant() throws(StateFault) -> Instant { Instant(milliseconds: try number()) }

    /// A number below a limit.
    mutating func number(_: UInt8.Type, below limit: UInt8, _ what: StaticString) throws(StateFault) -> UInt8 {
        let value: UInt8 = try number()
        guard value < limit else { throw fault("expected \(what) below \(limit), found \(value)") }
        return value
    }

    /// A view of so many bytes.
    @inline(__always)
    mutating func view(_ count: Int) throws(StateFault) -> UnsafeRawBufferPointer {
        guard count >= 0, bytes.count - position >= count else {
            throw fault("expected \(count) bytes, found \(bytes.count - position)")
        }
        defer { position += count }
        return UnsafeRawBufferPointer(rebasing: bytes[position..<position + count])
    }

    mutating func countedView() throws(StateFault) -> UnsafeRawBufferPointer {
        try view(Int(try number(UInt16.self)))
    }

    mutating func countedText() throws(StateFault) -> String {
        String(decoding: try countedView(), as: UTF8.self)
    }

    mutating func optional<Value>(
        _ read: (inout StateReader) throws(StateFault) -> Value
    ) throws(StateFault) -> Value? {
        try number(UInt8.self, below: 2, "a flag") == 0 ? nil : try read(&self)
    }
}
