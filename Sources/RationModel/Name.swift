/// The rules for names and identifiers of semantics.md section 6, on their UTF-8 bytes.
public enum Name {
    /// Letters, digits, `.`, `-` and `_`, 1 to `limit` bytes: apps and types.
    @inlinable
    public static func isPlain(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        guard !bytes.isEmpty, bytes.count <= limit else { return false }
        for byte in bytes {
            let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
            let isDigit = byte >= 0x30 && byte <= 0x39
            guard isLetter || isDigit || byte == 0x2E || byte == 0x2D || byte == 0x5F else { return false }
        }
        return true
    }

    /// UTF-8 of 1 to `limit` bytes without control characters (U+0000–U+001F, U+007F–U+009F) or spaces at the ends:
    /// devices and ids. The bytes are known to be well-formed UTF-8.
    @inlinable
    public static func isText(_ bytes: UnsafeRawBufferPointer, limit: Int, slashAllowed: Bool) -> Bool {
        guard let first = bytes.first, let last = bytes.last, bytes.count <= limit, first != 0x20, last != 0x20
        else { return false }
        var previous: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F || (byte == 0x2F && !slashAllowed) { return false }
            // U+0080–U+009F are C2 80 to C2 9F.
            if previous == 0xC2 && byte < 0xA0 { return false }
            previous = byte
        }
        return true
    }

    /// Compares two names by their bytes, as everything in Ration is ordered.
    /// - Returns: a number below, at or above 0.
    @inlinable
    public static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let common = min(left.count, right.count)
        for index in 0..<common where left[index] != right[index] {
            return Int(left[index]) - Int(right[index])
        }
        return left.count - right.count
    }
}

/// Says whether a time zone is known; the tz database's names are read by RationZones.
public protocol ZoneChecking: Sendable {
    /// - Parameter name: compared byte for byte.
    func contains(_ name: UnsafeRawBufferPointer) -> Bool
}
