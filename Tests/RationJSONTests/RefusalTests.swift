import RationJSON
import Testing

@Suite("What a JSON text is refused for")
struct RefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let code: JSONError.Code
        let offset: Int

        init(_ text: String, _ code: JSONError.Code, at offset: Int) {
            self.text = text
            self.code = code
            self.offset = offset
        }

        var testDescription: String { String(reflecting: text) }
    }

    static let grammar = [
        Case("", .empty, at: 0), Case(" \n\t", .empty, at: 3),
        Case("{", .malformed, at: 1), Case(#"{"a""#, .malformed, at: 4), Case(#"{"a":"#, .malformed, at: 5),
        Case(#"{"a":1,}"#, .malformed, at: 7), Case("[1,]", .malformed, at: 3), Case("[1 2]", .malformed, at: 3),
        Case("{1:2}", .malformed, at: 1), Case(#"{"a" 1}"#, .malformed, at: 5), Case("[1}", .malformed, at: 2),
        Case("]", .malformed, at: 0), Case("tru", .malformed, at: 3), Case("nul1", .malformed, at: 3),
        Case("truex", .malformed, at: 4), Case("01", .malformed, at: 1), Case("+1", .malformed, at: 0),
        Case("-", .malformed, at: 1), Case("1.", .malformed, at: 2), Case(".5", .malformed, at: 0),
        Case("1e", .malformed, at: 2), Case("[0x10]", .malformed, at: 2), Case("NaN", .malformed, at: 0),
        Case("'a'", .malformed, at: 0), Case(#""a"#, .malformed, at: 2), Case("\"a\u{1}\"", .malformed, at: 2),
        Case("\"a\nb\"", .malformed, at: 2), Case(#""\x""#, .malformed, at: 1), Case(#""\u12g4""#, .malformed, at: 1),
        Case(#""\"#, .malformed, at: 1), Case("é", .malformed, at: 0), Case("\u{FEFF}1", .malformed, at: 0),
        Case("1 2", .trailingContent, at: 2), Case("{} {}", .trailingContent, at: 3),
        Case("null]", .trailingContent, at: 4), Case(#"{"a":1}x"#, .trailingContent, at: 7),
        Case("1\0", .malformed, at: 1),
    ]

    static let surrogates = [
        Case(#""\ud800""#, .loneSurrogate, at: 1), Case(#""\udc00""#, .loneSurrogate, at: 1),
        Case(#""\ud800\u0041""#, .loneSurrogate, at: 1), Case(#""\udbff\ud800""#, .loneSurrogate, at: 1),
        Case(#""\udfff\ud800""#, .loneSurrogate, at: 1), Case(#""a\\\udead""#, .loneSurrogate, at: 4),
        Case(#""\ud83d\ude00\ud83d""#, .loneSurrogate, at: 13), Case(#""\ud83d\ude00\ude00""#, .loneSurrogate, at: 13),
        Case(#""\ud800x""#, .loneSurrogate, at: 1), Case(#""\ud800\n""#, .loneSurrogate, at: 1),
        Case(#"{"\uD800":1}"#, .loneSurrogate, at: 2), Case(#"["\\ud800","\uDC00"]"#, .loneSurrogate, at: 12),
    ]

    static let numbers = [
        Case("9223372036854775808", .numberRange, at: 0), Case("-9223372036854775809", .numberRange, at: 0),
        Case("18446744073709551615", .numberRange, at: 0), Case("18446744073709551616", .numberRange, at: 0),
        Case("[1,100000000000000000000000000]", .numberRange, at: 3), Case("1e400", .numberRange, at: 0),
        Case(#"{"a":-1e309}"#, .numberRange, at: 5), Case("1.7976931348623159e308", .numberRange, at: 0),
        Case("0.001e312", .numberRange, at: 0), Case("1e99999999999999999999", .numberRange, at: 0),
        Case("1e-400 1e400", .trailingContent, at: 7), Case("[0.0e-999,0e999,1e400]", .numberRange, at: 16),
    ]

    static let keys = [
        Case(#"{"a":1,"a":2}"#, .duplicateKey, at: 7), Case(#"{"":1,"":2}"#, .duplicateKey, at: 6),
        Case(#"{"a":{"b":1,"c":[{}],"b":2}}"#, .duplicateKey, at: 21),
        Case(#"{"at":1,"\u0061t":2}"#, .duplicateKey, at: 8),
        Case(#"{"a":{"x":[1,{"y":2}]},"b":3,"a" :4}"#, .duplicateKey, at: 29),
        Case(#"[{"a":1},{"é":1,"\u00e9":1}]"#, .duplicateKey, at: 17),
    ]

    @Test("each fault has its own code and its place", arguments: grammar + surrogates + numbers + keys)
    func fault(_ fault: Case) {
        for error in refusal(of: fault.text) {
            #expect(error?.code == fault.code)
            #expect(error?.offset == fault.offset)
        }
    }

    @Test(
        "bytes that are no UTF-8 are refused where they begin",
        arguments: [
            [0x80], [0xC0, 0xAF], [0xC2], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFF], [0xE2, 0x82],
        ] as [[UInt8]])
    func invalidUTF8(bytes: [UInt8]) {
        let quoted: [UInt8] = Array(#"{"a":""#.utf8) + bytes + Array(#""}"#.utf8)
        for error in refusal(of: quoted) + refusal(of: [0x31, 0x20] + bytes) {
            #expect(error?.code == .invalidUTF8)
            #expect(error?.offset == 6 || error?.offset == 2)
        }
    }

    @Test("keys that repeat are found in objects of every size", arguments: [2, 9, 16, 17, 18, 64, 65, 1_000, 9_000])
    func duplicateKeys(count: Int) {
        let members = (0..<count).map { "\"key\($0 * 7919 % 100_003)\":\($0)" }
        #expect(refusal(of: "{\(members.joined(separator: ","))}") == [nil, nil])
        for repeated in Set([0, 1, count / 2, count - 1]) {
            let text = "{\((members + [members[repeated]]).joined(separator: ","))}"
            #expect(refusal(of: text).map { $0?.code } == [.duplicateKey, .duplicateKey])
        }
    }

    @Test(
        "keys that look alike, or stand in different objects, are no repetition",
        arguments: [
            #"{"a":1,"A":2,"a ":3,"":4,"aa":5}"#, #"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}"#,
            #"{"e\u0301":1,"é":2}"#,
        ])
    func differentKeys(text: String) {
        #expect(refusal(of: text) == [nil, nil])
    }

    @Test("a text may be nested as deeply as the limit", arguments: [1, 2, 32])
    func depth(limit: Int) {
        let shapes = [("[", "]"), (#"{"a":"#, "}")]
        for (opening, closing) in shapes {
            for inner in ["1", "\"a\"", "null"] {
                let within = String(repeating: opening, count: limit) + inner + String(repeating: closing, count: limit)
                #expect(refusal(of: within, depth: limit) == [nil, nil])
                let beyond = opening + within + closing
                for error in refusal(of: beyond, depth: limit) {
                    #expect(error?.code == .tooDeep)
                    #expect(error?.offset == opening.utf8.count * limit)
                    #expect(error?.message == "nested deeper than \(limit)")
                }
            }
        }
        let empty = String(repeating: "[", count: limit) + "{}" + String(repeating: "]", count: limit)
        #expect(refusal(of: empty, depth: limit).map { $0?.code } == [.tooDeep, .tooDeep])
        #expect(refusal(of: String(repeating: "[", count: 100_000)).map { $0?.code } == [.tooDeep, .tooDeep])
    }

    @Test("containers count as values, keys do not", arguments: [2, 255, 256, 257, 10_000])
    func values(limit: Int) {
        let array = "[" + repeatElement("1", count: limit - 1).joined(separator: ",") + "]"
        let object = "{" + (1..<limit).map { "\"\($0)\":{}" }.joined(separator: ",") + "}"
        for text in [array, object] {
            #expect(refusal(of: text, values: limit) == [nil, nil])
            for error in refusal(of: text, values: limit - 1) {
                #expect(error?.code == .tooManyValues)
                #expect(error?.message == "more than \(limit - 1) values")
            }
        }
    }

    @Test("messages say the value")
    func messages() {
        #expect(refusal(of: #"{"at":1,"at":2}"#)[0]?.message == #"the key "at" stands twice in one object"#)
        #expect(refusal(of: "[1e400]")[0]?.message.contains("1e400") == true)
        #expect(refusal(of: #""\ud800""#)[0]?.message == #"\ud800 is half of a surrogate pair"#)
        #expect(
            refusal(of: "{}x")[0].map(String.init(describing:))
                == "the value is followed by x (trailingContent, byte 2)")
    }
}
