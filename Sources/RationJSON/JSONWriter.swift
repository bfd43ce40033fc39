internal import CSimdJSON

/// Writes JSON as bytes, token by token. It writes what it is told: commas, colons and brackets are the caller's.
public struct JSONWriter {
    /// What has been written. To write anew in the same memory: `bytes.removeAll(keepingCapacity: true)`.
    public var bytes: [UInt8]

    /// - Parameter capacity: the number of bytes to make room for at once.
    public init(capacity: Int = 0) {
        bytes = []
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Makes room for exactly `count` more bytes and has them written.
    @inlinable mutating func append(_ count: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
        bytes.append(addingCapacity: count) { span in
            span.withUnsafeMutableBufferPointer { room, initializedCount in
                // The array has made room for `count` bytes from this address on, and `write` fills them all.
                guard let start = room.baseAddress else { return }
                write(UnsafeMutableRawPointer(start))
                initializedCount = count
            }
        }
    }

    @inlinable public mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    /// Text that is JSON already.
    @inlinable public mutating func raw(_ text: StaticString) {
        // A static string has `utf8CodeUnitCount` bytes, as many as are made room for.
        append(text.utf8CodeUnitCount) { $0.copyMemory(from: text.utf8Start, byteCount: text.utf8CodeUnitCount) }
    }

    /// Bytes that are JSON already.
    @inlinable public mutating func raw(_ text: UnsafeRawBufferPointer) {
        guard let source = text.baseAddress else { return }
        // `text` has `count` bytes, as many as are made room for.
        append(text.count) { $0.copyMemory(from: source, byteCount: text.count) }
    }

    /// `"name":`. The name needs no escapes.
    @inlinable public mutating func key(_ name: StaticString) {
        let count = name.utf8CodeUnitCount
        append(count + 3) { place in
            // One byte, the name's `count` bytes, two bytes.
            place.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            (place + 1).copyMemory(from: name.utf8Start, byteCount: count)
            (place + 1 + count).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            (place + 2 + count).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
        }
    }

    public mutating func null() {
        raw("null")
    }

    public mutating func bool(_ value: Bool) {
        if value { raw("true") } else { raw("false") }
    }

    public mutating func integer(_ value: Int64) {
        // 19 digits and a sign at most.
        withUnsafeTemporaryAllocation(byteCount: 20, alignment: 1) { digits in
            var first = 20
            var rest = value.magnitude
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                first -= 1
                digits[first] = UInt8(ascii: "-")
            }
            raw(UnsafeRawBufferPointer(rebasing: digits[first...]))
        }
    }

    /// The shortest text that reads back as `value`; without fraction if it has none and lies within ±2^53.
    ///
    /// - Parameter value: finite.
    public mutating func number(_ value: Double) {
        precondition(value.isFinite, "JSON has no number \(value)")
        if value.magnitude < 0x1p53, value.rounded(.towardZero) == value {
            return integer(Int64(value))
        }
        withUnsafeTemporaryAllocation(byteCount: Int(RATION_JSON_DOUBLE_LENGTH), alignment: 1) { text in
            let start = text.baseAddress?.assumingMemoryBound(to: UInt8.self)
            raw(UnsafeRawBufferPointer(rebasing: text[..<ration_json_format_double(value, start)]))
        }
    }
}
