import RationModel
import Testing

@Suite("Names and ids follow semantics.md section 6")
struct NameTests {
    static func isPlain(_ bytes: [UInt8], limit: Int = 128) -> Bool {
        bytes.withUnsafeBytes { Name.isPlain($0, limit: limit) }
    }

    static func isText(_ bytes: [UInt8], limit: Int = 256, slashAllowed: Bool = true) -> Bool {
        bytes.withUnsafeBytes { Name.isText($0, limit: limit, slashAllowed: slashAllowed) }
    }

    static func isText(_ text: String, limit: Int = 256, slashAllowed: Bool = true) -> Bool {
        isText(Array(text.utf8), limit: limit, slashAllowed: slashAllowed)
    }

    @Test("The length is from 1 to the limit", arguments: [1, 7, 8, 9, 64, 128, 256])
    func lengths(limit: Int) {
        for (count, isRight) in [(0, false), (limit - 1, limit > 1), (limit, true), (limit + 1, false)] {
            let bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
            #expect(Self.isPlain(bytes, limit: limit) == isRight, "\(count) of \(limit)")
            #expect(Self.isText(bytes, limit: limit) == isRight, "\(count) of \(limit)")
        }
    }

    @Test("The limit counts bytes, not characters")
    func bytes() {
        #expect(Self.isText(String(repeating: "é", count: 128)))
        #expect(!Self.isText(String(repeating: "é", count: 128) + "a"))
    }

    @Test("Apps and types: letters, digits, '.', '-' and '_', at every place of the text")
    func plainBytes() throws {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_".utf8)
        for byte in UInt8.min...UInt8.max {
            for length in [1, 2, 7, 8, 9, 15, 16, 17, 31] {
                for place in 0..<length {
                    var name = [UInt8](repeating: UInt8(ascii: "x"), count: length)
                    name[place] = byte
                    try #require(Self.isPlain(name) == allowed.contains(byte), "\(byte) at \(place) of \(length)")
                }
            }
        }
    }

    @Test(
        "No control character (C0, DEL, C1) anywhere; every other scalar is allowed",
        arguments: [0, 1, 6, 7, 8, 15, 20])
    func controls(before: Int) throws {
        let prefix = String(repeating: "p", count: before)
        for value in 0...UInt32(0x3FF) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isControl = value < 0x20 || (0x7F...0x9F).contains(value)
            for after in ["q", "longer than eight", "é"] {
                let text = prefix + String(Character(scalar)) + after
                let isRight = !isControl && !(value == 0x20 && before == 0)
                try #require(Self.isText(text) == isRight, "U+\(String(value, radix: 16)) at \(before) before \(after)")
            }
        }
    }

    @Test("Text of every plane is allowed")
    func planes() throws {
        for value in stride(from: UInt32(0xA0), through: 0x10FFFF, by: 61) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let character = String(Character(scalar))
            try #require(Self.isText(character), "U+\(String(value, radix: 16))")
            try #require(Self.isText("device " + character + " one", slashAllowed: false))
        }
        // Their last bytes are those of control characters behind another first byte.
        for text in ["Ā", "ƀ", "\u{A0}", "\u{FFFF}", "\u{10FFFF}", "日本語", "👩‍👩‍👧"] { #expect(Self.isText(text)) }
    }

    @Test(
        "Spaces stand inside, not at the ends",
        arguments: [
            ("a b", true), ("a  b", true), (" ab", false), ("ab ", false), (" ", false), ("  ", false),
            ("a long name", true),
            (" a long name", false), ("a long name ", false), ("\u{A0}a\u{A0}", true),
        ])
    func spaces(text: String, isRight: Bool) {
        #expect(Self.isText(text) == isRight)
    }

    @Test(
        "A slash is for ids, not for devices",
        arguments: ["/", "a/b", "/abcdefgh", "abcdefgh/", "abcdefghijk/lmnop", "é/é"])
    func slashes(text: String) {
        #expect(Self.isText(text, slashAllowed: true))
        #expect(!Self.isText(text, slashAllowed: false))
    }

    @Test(
        "Names are ordered by their bytes",
        arguments: [
            ("", "a"), ("a", "b"), ("a", "aa"), ("Z", "a"), ("z", "é"), ("e\u{301}", "é"), ("\u{FFFF}", "\u{10000}"),
        ])
    func order(smaller: String, larger: String) {
        func compare(_ left: String, _ right: String) -> Int {
            Array(left.utf8).withUnsafeBytes { left in Array(right.utf8).withUnsafeBytes { Name.compare(left, $0) } }
        }
        #expect(compare(smaller, larger) < 0)
        #expect(compare(larger, smaller) > 0)
        #expect(compare(smaller, smaller) == 0)
    }
}
