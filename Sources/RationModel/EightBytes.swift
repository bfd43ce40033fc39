/// Eight bytes of a text in one word, so that a rule is asked of all of them at once. Marks are the high bits of bytes.
@usableFromInline
struct EightBytes {
    @usableFromInline let word: UInt64

    @inlinable
    init(_ word: UInt64) { self.word = word }

    /// The word whose bytes are all `byte`.
    @inlinable
    static func repeating(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }

    @inlinable
    static var allMarks: UInt64 { repeating(0x80) }

    @inlinable
    var isASCII: Bool { word & Self.allMarks == 0 }

    /// Small letters in place of capitals (and a few other changes, none of which makes a letter).
    @inlinable
    var lowercased: EightBytes { EightBytes(word | Self.repeating(0x20)) }

    /// Marks the bytes from `first` to `last`.
    ///
    /// All bytes are ASCII: then no sum reaches the next byte.
    @inlinable
    func marks(_ first: UInt8, through last: UInt8) -> UInt64 {
        let atLeastFirst = word &+ Self.repeating(0x80 - first)
        let aboveLast = word &+ Self.repeating(0x7F - last)
        return atLeastFirst & ~aboveLast & Self.allMarks
    }

    /// Whether a rule holds for a text of at least 8 bytes, 8 at a time; the last 8 may overlap those before.
    @inlinable
    static func allSatisfy(_ bytes: UnsafeRawBufferPointer, _ rule: (EightBytes) -> Bool) -> Bool {
        let last = bytes.count - 8
        var place = 0
        while place < last {
            guard rule(EightBytes(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))) else { return false }
            place += 8
        }
        return rule(EightBytes(bytes.loadUnaligned(fromByteOffset: last, as: UInt64.self)))
    }
}
