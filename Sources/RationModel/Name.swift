/// The rules for names and identifiers of semantics.md section 6, on their UTF-8 bytes.
public enum Name {
    /// Letters, digits, `.`, `-` and `_`, 1 to `limit` bytes: apps and types.
    @inlinable
    public static func isPlain(_ bytes: UnsafeRawBufferPointer, limit: Int) -> Bool {
        guard !bytes.isEmpty, bytes.count <= limit else { return false }
        if bytes.count >= 8 { return EightBytes.allSatisfy(bytes, isPlain) }
        for byte in bytes where !isPlain(byte) { return false }
        return true
    }

    @inlinable
    static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }

    @inlinable
    static func isPlain(_ bytes: EightBytes) -> Bool {
        guard bytes.isASCII else { return false }
        let marks =
            bytes.lowercased.marks(0x61, through: 0x7A) | bytes.marks(0x30, through: 0x39)
            | bytes.marks(0x2D, through: 0x2E) | bytes.marks(0x5F, through: 0x5F)
        return marks == EightBytes.allMarks
    }

    /// UTF-8 of 1 to `limit` bytes without control characters (U+0000–U+001F, U+007F–U+009F) or spaces at the ends:
    /// devices and ids. The bytes are known to be well-formed UTF-8.
    @inlinable
    public static func isText(_ bytes: UnsafeRawBufferPointer, limit: Int, slashAllowed: Bool) -> Bool {
        guard let first = bytes.first, let last = bytes.last, bytes.count <= limit, first != 0x20, last != 0x20
        else { return false }
        if bytes.count >= 8, EightBytes.allSatisfy(bytes, { isPrintable($0, slashAllowed: slashAllowed) }) {
            return true
        }
        var previous: UInt8 = 0
        for byte in bytes {
            if byte < 0x20 || byte == 0x7F || (byte == 0x2F && !slashAllowed) { return false }
            // U+0080–U+009F are C2 80 to C2 9F.
            if previous == 0xC2 && byte < 0xA0 { return false }
            previous = byte
        }
        return true
    }

    /// Whether eight bytes are plainly allowed: ASCII that is neither a control character nor a slash that is not allowed.
    @inlinable
    static func isPrintable(_ bytes: EightBytes, slashAllowed: Bool) -> Bool {
        guard bytes.isASCII else { return false }
        let slashes = slashAllowed ? 0 : bytes.marks(0x2F, through: 0x2F)
        return bytes.marks(0x20, through: 0x7E) & ~slashes == EightBytes.allMarks
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

extension ZoneChecking {
    /// Refuses a time zone that the tz database does not know (semantics.md section 6).
    /// - Parameter field: the path of the field that names it.
    public func check(_ name: UnsafeRawBufferPointer, field: String) throws(Rejection) {
        guard !contains(name) else { return }
        throw Rejection(
            .timeZone, field: field,
            "expected a name of the tz database such as Europe/Madrid, found '\(String(decoding: name.prefix(64), as: UTF8.self))'"
        )
    }
}
