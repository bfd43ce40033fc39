/// Writes JSON, as ``JSONWriter`` does, into memory that has room for all of it: what is written in many small pieces a million
/// times. Each piece is held against the memory's end.
public struct JSONCursor {
    @usableFromInline let start: UnsafeMutableRawPointer
    @usableFromInline let end: UnsafeMutableRawPointer
    @usableFromInline var place: UnsafeMutableRawPointer

    @usableFromInline
    init(_ start: UnsafeMutableRawPointer, count: Int) {
        (self.start, self.place, end) = (start, start, start + count)
    }

    /// Bytes that have been written.
    @inlinable var count: Int { place - start }

    /// Makes room for so many bytes.
    @inlinable @inline(__always)
    mutating func take(_ count: Int) -> UnsafeMutableRawPointer {
        precondition(count >= 0 && count <= end - place, "no room for so much text")
        defer { place += count }
        return place
    }

    /// Text that is JSON already.
    @inlinable @inline(__always)
    public mutating func raw(_ text: StaticString) {
        // A static string has `utf8CodeUnitCount` bytes, as many as are made room for.
        take(text.utf8CodeUnitCount).copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount)
    }

    /// Bytes that are JSON already.
    @inlinable @inline(__always)
    public mutating func raw(_ text: UnsafeRawBufferPointer) {
        guard let source = text.baseAddress else { return }
        // `text` has `count` bytes, as many as are made room for.
        take(text.count).copyMemory(from: source, byteCount: text.count)
    }

    /// Has `count` bytes written.
    /// - Parameter write: fills all of them.
    @inlinable @inline(__always)
    public mutating func write(_ count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
        write(take(count))
    }

    /// A number in so many digits, with zeros before it; what does not fit is left out.
    public mutating func digits(_ value: UInt64, count: Int) {
        let digits = take(count)
        var (rest, left) = (value, count)
        while left >= 2 {
            left -= 2
            let pair = UInt16(truncatingIfNeeded: rest % 100)
            rest /= 100
            // The low byte is the first digit.
            let text = 0x3030 + (pair % 10) << 8 + pair / 10
            digits.storeBytes(of: text.littleEndian, toByteOffset: left, as: UInt16.self)
        }
        if left == 1 { digits.storeBytes(of: 0x30 + UInt8(truncatingIfNeeded: rest % 10), as: UInt8.self) }
    }

    public mutating func integer(_ value: Int64) {
        if value < 0 { raw("-") }
        let magnitude = value.magnitude
        var (count, limit) = (1, UInt64(10))
        // 19 digits at most: the last limit is 10^19, which 64 bits hold.
        while magnitude >= limit, count < 19 {
            count += 1
            limit *= 10
        }
        digits(magnitude, count: count)
    }
}

extension JSONWriter {
    /// Makes room for at most so many bytes, and has them written.
    @inlinable
    public mutating func write(atMost count: Int, _ write: (inout JSONCursor) -> Void) {
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { room, initializedCount in
                guard let start = room.baseAddress else { return }
                // The array has made room for `count` bytes from this address on.
                var cursor = JSONCursor(UnsafeMutableRawPointer(start), count: count)
                write(&cursor)
                initializedCount = cursor.count
            }
        }
    }

    /// Whether a string needs no escapes: between quotes it is as it is.
    public static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool { firstSpecial(in: text, from: 0) == text.count }
}
