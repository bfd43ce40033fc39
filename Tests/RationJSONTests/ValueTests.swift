import RationJSON
import TestSupport
import Testing

@Suite("What a parsed text says")
struct ValueTests {
    @Test(
        "numbers at the edges are what they are",
        arguments: [
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("0", 0), ("-0", 0), (" 7\n", 7),
        ])
    func integers(text: String, value: Int64) {
        #expect(reading(text) { $0.kind } == .integer)
        #expect(reading(text) { $0.integer } == value)
        #expect(reading(text) { $0.number } == Double(value))
    }

    @Test(
        "a number with a fraction or an exponent is a double",
        arguments: [
            ("1.0", 1.0), ("1e3", 1000), ("-0.0", -0.0), ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("5e-324", .leastNonzeroMagnitude), ("1e-400", 0), ("0.1", 0.1),
        ])
    func doubles(text: String, value: Double) {
        #expect(reading(text) { $0.kind } == .double)
        #expect(reading(text) { $0.integer == nil } == true)
        #expect(reading(text) { $0.number?.bitPattern } == value.bitPattern)
    }

    @Test(
        "strings are unescaped",
        arguments: [
            (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u20AC""#, "é€"),
            (#""\ud83d\ude00😀""#, "😀😀"), (#""\u0000""#, "\0"), (#""\\ud800""#, #"\ud800"#),
        ])
    func strings(text: String, value: String) {
        #expect(reading(text) { $0.text } == value)
        #expect(reading(text) { $0.string?.count } == value.utf8.count)
    }

    @Test("an accessor of another kind gives nothing")
    func kinds() {
        let kinds = reading(#"[null,true,1,1.5,"1",[1],{"a":1}]"#) { $0.children.map(\.kind) }
        #expect(kinds == [.null, .bool, .integer, .double, .string, .array, .object])
        let strings = reading(#"[null,true,1,1.5,"1",[1],{"a":1}]"#) { $0.children.map { $0.text ?? "-" } }
        #expect(strings == ["-", "-", "-", "-", "1", "-", "-"])
        let bools = reading(#"[null,true,false,1]"#) { $0.children.map(\.bool) }
        #expect(bools == [nil, true, false, nil])
        #expect(reading("[null,0]") { $0.children.map(\.isNull) } == [true, false])
        #expect(reading(#"["abc",1]"#) { $0.children.map(\.count) } == [0, 0])
        #expect(reading(#""abc""#) { Array($0.children).count } == 0)
    }

    @Test("children come in the order of the text, subtrees passed over")
    func children() {
        let text = #"{"a":{"x":[1,[2,{}],{}]},"":[],"b":[[],[1,2]],"c":null}"#
        let keys = reading(text) { $0.children.map { String(decoding: $0.key, as: UTF8.self) } }
        #expect(keys == ["a", "", "b", "c"])
        #expect(reading(text) { $0.children.map(\.count) } == [1, 0, 2, 0])
        #expect(reading(text) { $0.count } == 4)
        #expect(reading(text) { $0["b"]?.children.map(\.key.count) } == [0, 0])
        #expect(reading(text) { $0["a"]?["x"]?.children.map(\.count) } == [0, 2, 0])
    }

    @Test("a member is found by its whole name")
    func members() {
        let text = #"{"id":1,"identity":2,"i":3,"\u0061t":4}"#
        #expect(reading(text) { $0["id"]?.integer } == 1)
        #expect(reading(text) { $0["i"]?.integer } == 3)
        #expect(reading(text) { $0["at"]?.integer } == 4)
        #expect(reading(text) { $0["ID"] == nil && $0["ide"] == nil && $0[""] == nil } == true)
        #expect(reading(#"["id"]"#) { $0["id"] == nil } == true)
    }

    @Test("bytes equal a text only byte for byte")
    func equality() {
        let bytes = Array("schedule".utf8)
        bytes.withUnsafeBytes { bytes in
            #expect(equals(bytes, "schedule"))
            #expect(!equals(bytes, "schedulE"))
            #expect(!equals(bytes, "schedules"))
            #expect(!equals(bytes, "sched"))
            #expect(!equals(bytes, ""))
        }
        #expect(equals(UnsafeRawBufferPointer(start: nil, count: 0), ""))
        #expect(!equals(UnsafeRawBufferPointer(start: nil, count: 0), "a"))
    }

    @Test("a parser goes on after a refusal, and with texts of any size")
    func reuse() throws {
        var parser = JSONParser()
        for length in [1, 5_000, 3, 4_096, 4_097, 200_000, 10] {
            let text = Array("[\"\(String(repeating: "x", count: length))\",\(length)]".utf8)
            let read = try text.withUnsafeBytes { bytes in
                #expect(throws: JSONError.self) {
                    _ = try parser.parse(UnsafeRawBufferPointer(rebasing: bytes.dropLast()), isPadded: false)
                }
                return try parser.parse(bytes, isPadded: false).children.map {
                    $0.string?.count ?? Int($0.integer ?? -1)
                }
            }
            #expect(read == [length, length])
        }
    }

    @Test("whatever bytes come, the parser answers, and a refusal has its place")
    func damagedTexts() {
        let seed: UInt64 = 20_261_130
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        for _ in 0..<3_000 {
            var text = Array(Tree.random(depth: 3, using: &generator).text(using: &generator).utf8)
            for _ in 0..<Int.random(in: 0...2, using: &generator) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &generator)
                let signs = Array("{}[]\",:\\u0e.-\u{80}\0 ".utf8) + [0xFF]
                text[place] = signs.randomElement(using: &generator) ?? 0
            }
            let errors = refusal(of: text)
            #expect(errors[0] == errors[1])
            if let error = errors[0] { #expect(error.offset != nil, "\(String(decoding: text, as: UTF8.self))") }
        }
    }
}
