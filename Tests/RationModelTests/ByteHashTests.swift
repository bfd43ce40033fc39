import RationModel
import Testing

@Suite("The hash of bytes")
struct ByteHashTests {
    static func hash(_ bytes: [UInt8], seed: UInt64 = 0) -> UInt64 {
        bytes.withUnsafeBytes { ByteHash.hash($0, seed: seed) }
    }

    @Test(
        "It is the same in every process and on every machine: bodies of requests are told apart by it after a restart",
        arguments: [
            ("", 0xC9D8_74CA_9E01_949F), ("a", 0x8CE4_ECC1_FC5F_80A3), ("12345678", 0x6CD0_F39E_EE3E_3C92),
            ("com.myapp.habitReminder.17", 0xFFB1_DC63_0A74_431F),
            (String(repeating: "x", count: 63), 0x5D5A_7126_745C_47DE),
            (String(repeating: "0123456789abcdef", count: 4), 0xB1C9_4127_207B_1A21),
            (String(repeating: "0123456789abcdef", count: 4) + "0123456789abcde", 0xE1B3_0006_6484_0530),
            (String(repeating: "0123456789", count: 20), 0xA68F_C8FE_F310_4E46),
        ] as [(String, UInt64)])
    func golden(text: String, value: UInt64) {
        #expect(Self.hash(Array(text.utf8)) == value)
    }

    @Test("Counters as numbers and as text do not collide, whatever the seed", arguments: [0, 1, .max] as [UInt64])
    func counters(seed: UInt64) {
        var hashes: Set<UInt64> = []
        for number in 0..<UInt64(50_000) {
            hashes.insert(Self.hash(withUnsafeBytes(of: number, Array.init), seed: seed))
            hashes.insert(Self.hash(Array("device-\(number)".utf8), seed: seed))
            hashes.insert(Self.hash(Array("com.myapp.habitReminder.\(number)".utf8), seed: seed))
        }
        #expect(hashes.count == 150_000)
    }

    @Test("Texts of zeros differ by their length, and texts of one bit by its place")
    func lengthsAndBits() {
        var hashes = Set((0...300).map { Self.hash([UInt8](repeating: 0, count: $0)) })
        #expect(hashes.count == 301)
        for bit in 0..<800 {
            var bytes = [UInt8](repeating: 0, count: 100)
            bytes[bit / 8] = 1 << UInt8(bit % 8)
            hashes.insert(Self.hash(bytes))
        }
        #expect(hashes.count == 301 + 800)
    }

    @Test("Its low 16 bits spread counters evenly: a table's chains stay short")
    func spread() {
        var counts = [Int](repeating: 0, count: 1 << 10)
        for number in 0..<100 << 10 { counts[Int(Self.hash(Array("d\(number)".utf8), seed: 7) & 1023)] += 1 }
        // 100 on average with a deviation of 10; six deviations are never met by chance.
        #expect(counts.allSatisfy { (40...160).contains($0) })
    }

    @Test("The place of the bytes in memory does not matter")
    func alignment() {
        let bytes = Array("0123456789abcdefghij".utf8)
        let values = (0..<8).map { shift in
            Self.hash(Array((Array(repeating: 0, count: shift) + bytes).dropFirst(shift)))
        }
        let unaligned = (0..<8).map { shift in
            (Array(repeating: 0, count: shift) + bytes).withUnsafeBytes {
                ByteHash.hash(UnsafeRawBufferPointer(rebasing: $0[shift...]), seed: 0)
            }
        }
        #expect(Set(values + unaligned).count == 1)
    }
}
