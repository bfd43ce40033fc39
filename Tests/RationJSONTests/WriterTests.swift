import RationJSON
import TestSupport
import Testing

@Suite("What is written")
struct WriterTests {
    private func written(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The slow version: byte by byte.
    private func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            switch byte {
            case 0x22: return Array(#"\""#.utf8)
            case 0x5C: return Array(#"\\"#.utf8)
            case 0x08: return Array(#"\b"#.utf8)
            case 0x09: return Array(#"\t"#.utf8)
            case 0x0A: return Array(#"\n"#.utf8)
            case 0x0C: return Array(#"\f"#.utf8)
            case 0x0D: return Array(#"\r"#.utf8)
            case ..<0x20:
                let digits = String(byte, radix: 16)
                return Array((String(repeating: "0", count: 4 - digits.count)).utf8).reduce(into: Array(#"\u"#.utf8)) {
                    $0.append($1)
                }
                    + Array(digits.utf8)
            default: return [byte]
            }
        }
    }

    private func check(_ text: [UInt8]) {
        var writer = JSONWriter()
        text.withUnsafeBytes { writer.string($0) }
        let expected = escaped(text)
        #expect(writer.bytes == [0x22] + expected + [0x22])
        var member = JSONWriter()
        text.withUnsafeBytes { member.member(UInt8(ascii: ","), "name", $0) }
        #expect(member.bytes == Array(",\"name\":\"".utf8) + expected + [0x22])
    }

    @Test("every byte is escaped, or not, at every place of a string of every length up to 26")
    func escapes() {
        for length in 0...26 {
            check(Array(repeating: 0x61, count: length))
            for place in 0..<length {
                for byte in UInt8.min...UInt8.max {
                    var text = Array(repeating: UInt8(0x61), count: length)
                    text[place] = byte
                    check(text)
                }
            }
        }
    }

    @Test("strings with many escapes are written as byte by byte")
    func manyEscapes() {
        let seed: UInt64 = 11
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let bytes: [UInt8] = [0x22, 0x5C, 0x00, 0x1F, 0x20, 0x21, 0x23, 0x5B, 0x5D, 0x7F, 0x80, 0xA2, 0xDC, 0xFF, 0x61]
        for _ in 0..<5_000 {
            let length = Int.random(in: 0...40, using: &generator)
            check((0..<length).map { _ in bytes.randomElement(using: &generator) ?? 0 })
        }
    }

    @Test(
        "integers",
        arguments: [
            (Int64.min, "-9223372036854775808"), (.max, "9223372036854775807"), (0, "0"), (-1, "-1"), (10, "10"),
            (-100, "-100"),
        ])
    func integers(value: Int64, text: String) {
        #expect(written { $0.integer(value) } == text)
    }

    @Test(
        "numbers without fraction below 2^53 are written as integers",
        arguments: [
            (1.0, "1"), (-0.0, "0"), (-3.0, "-3"), (9_007_199_254_740_991, "9007199254740991"),
            (9_007_199_254_740_992, "9007199254740992"), (0.5, "0.5"), (1e300, "1e+300"), (-1.25e-9, "-1.25e-09"),
        ])
    func numbers(value: Double, text: String) {
        #expect(written { $0.number(value) } == text)
    }

    @Test("numbers read back as the same double")
    func roundTrip() {
        let seed: UInt64 = 53
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            let text = written { $0.number(value) }
            #expect(Double(text) == value)
            #expect(text.utf8.count <= 24)
        }
    }

    @Test("tokens follow each other as they are told")
    func tokens() {
        let text = written { writer in
            writer.byte(UInt8(ascii: "{"))
            writer.key("a")
            writer.bool(true)
            writer.raw(",")
            writer.key("")
            writer.null()
            writer.raw(",")
            writer.key("title")
            writer.string("Zeit für\t\"Wasser\" 💧")
            writer.raw(",")
            writer.key("b")
            writer.bool(false)
            Array("}".utf8).withUnsafeBytes { writer.raw($0) }
            writer.raw(UnsafeRawBufferPointer(start: nil, count: 0))
        }
        #expect(text == #"{"a":true,"":null,"title":"Zeit für\t\"Wasser\" 💧","b":false}"#)
    }

    @Test("a writer that is emptied keeps its memory")
    func reuse() {
        var writer = JSONWriter(capacity: 1_000)
        let address = writer.bytes.withUnsafeBytes { $0.baseAddress }
        for _ in 0..<3 {
            writer.bytes.removeAll(keepingCapacity: true)
            for _ in 0..<50 { writer.string("twenty bytes long") }
            #expect(writer.bytes.withUnsafeBytes { $0.baseAddress } == address)
        }
    }
}
