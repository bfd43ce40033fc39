extension JSONWriter {
    /// A string: quoted, `"`, `\` and control characters escaped, everything else as it is.
    ///
    /// - Parameter text: UTF-8.
    public mutating func string(_ text: UnsafeRawBufferPointer) {
        let special = Self.firstSpecial(in: text, from: 0)
        guard special == text.count, let source = text.baseAddress else {
            return stringWithEscapes(text, first: special)
        }
        append(text.count + 2) { place in
            // One byte, the text's `count` bytes, one byte.
            place.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            (place + 1).copyMemory(from: source, byteCount: text.count)
            (place + 1 + text.count).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        }
    }

    /// A separator and a member with a string, in one piece: what objects on the hot path are made of.
    ///
    /// - Parameters:
    ///   - separator: `{` or `,`.
    ///   - name: needs no escapes.
    ///   - text: UTF-8.
    public mutating func member(_ separator: UInt8, _ name: StaticString, _ text: UnsafeRawBufferPointer) {
        let special = Self.firstSpecial(in: text, from: 0)
        guard special == text.count, let source = text.baseAddress else {
            byte(separator)
            key(name)
            return stringWithEscapes(text, first: special)
        }
        let nameCount = name.utf8CodeUnitCount
        append(nameCount + text.count + 6) { place in
            // The separator, a quote, the name, a quote, a colon, a quote, the text, a quote.
            place.storeBytes(of: separator, as: UInt8.self)
            (place + 1).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            (place + 2).copyMemory(from: name.utf8Start, byteCount: nameCount)
            let end = place + 2 + nameCount
            end.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            (end + 1).storeBytes(of: UInt8(ascii: ":"), as: UInt8.self)
            (end + 2).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            (end + 3).copyMemory(from: source, byteCount: text.count)
            (end + 3 + text.count).storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
        }
    }

    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { string(UnsafeRawBufferPointer($0)) }
    }

    private mutating func stringWithEscapes(_ text: UnsafeRawBufferPointer, first: Int) {
        byte(UInt8(ascii: "\""))
        var start = 0
        var special = first
        while special < text.count {
            raw(UnsafeRawBufferPointer(rebasing: text[start..<special]))
            escape(text[special])
            start = special + 1
            special = Self.firstSpecial(in: text, from: start)
        }
        raw(UnsafeRawBufferPointer(rebasing: text[start...]))
        byte(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            raw("u00")
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(byte & 15 < 10 ? UInt8(ascii: "0") + byte & 15 : UInt8(ascii: "a") - 10 + byte & 15)
        }
    }

    /// Whether the escape is a backslash and one letter.
    private static func isShort(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x08, 0x09, 0x0A, 0x0C, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
        default: false
        }
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// The first place from `start` on whose byte must be escaped, or `text.count`.
    static func firstSpecial(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let bytes = text.baseAddress else { return 0 }
        var place = start
        while place + 8 <= text.count {
            // The 8 bytes from `place` on lie inside `text`.
            let marks = specialMarks(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian)
            if marks != 0 { return place + marks.trailingZeroBitCount / 8 }
            place += 8
        }
        if place < text.count, text.count >= 8 {
            // The last 8 bytes lie inside `text`; those before `place` are shifted out, and spaces in.
            let done = UInt64((place + 8 - text.count) * 8)
            let last = bytes.loadUnaligned(fromByteOffset: text.count - 8, as: UInt64.self).littleEndian
            let marks = specialMarks((last >> done) | (0x2020_2020_2020_2020 << (64 - done)))
            return marks != 0 ? place + marks.trailingZeroBitCount / 8 : text.count
        }
        while place < text.count, !isSpecial(bytes.load(fromByteOffset: place, as: UInt8.self)) { place += 1 }
        return place
    }

    /// Sets the high bit of each byte that must be escaped; right up to and including the lowest such byte.
    @inline(__always) private static func specialMarks(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        // A byte borrows when it is smaller than what is taken from it; bytes from 0x80 on are no ASCII. A borrow can
        // reach only bytes above one that is marked itself.
        let controls = word &- ones &* 0x20
        let quotes = (word ^ ones &* 0x22) &- ones
        let backslashes = (word ^ ones &* 0x5C) &- ones
        return (controls | quotes | backslashes) & ~word & (ones &* 0x80)
    }
}
