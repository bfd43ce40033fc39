import RationJSON
import TestSupport
import Testing

@Suite("The canonical form")
struct CanonicalTests {
    @Test(
        "is written by the rules",
        arguments: [
            (#" { "b" : 1 , "a" : [ true , null ] } "#, #"{"a":[true,null],"b":1}"#),
            ("{}", "{}"), ("[ ]", "[]"), (#"[[],{},[{}]]"#, "[[],{},[{}]]"), ("null", "null"), ("false", "false"),
            (
                #"{"aa":1,"a":2,"":3,"B":4,"aaaaaaaab":5,"aaaaaaaa":6,"aaaaaaaaa":7}"#,
                #"{"":3,"B":4,"a":2,"aa":1,"aaaaaaaa":6,"aaaaaaaaa":7,"aaaaaaaab":5}"#
            ),
            (
                #"{"a\u0000":1,"a":2,"é":3,"z":4,"😀":5,"\uffff":6}"#,
                "{\"a\":2,\"a\\u0000\":1,\"z\":4,\"é\":3,\"\u{FFFF}\":6,\"😀\":5}"
            ),
            (#""\u00e9\/\u001f\u007f\n\"""#, "\"é/\\u001f\u{7f}\\n\\\"\""),
            ("1.0", "1"), ("1e0", "1"), ("-0.0", "0"), ("-0", "0"), ("100e-2", "1"), ("0.50", "0.5"),
            ("-2.50e0", "-2.5"),
            ("9007199254740991.0", "9007199254740991"), ("9007199254740993", "9007199254740993"),
            ("-9223372036854775808", "-9223372036854775808"), ("1e-7", "1e-07"), ("0.1e1", "1"), ("5e-324", "5e-324"),
        ])
    func form(text: String, expected: String) {
        #expect(canonical(text) == expected)
    }

    @Test("does not depend on the order of members and on white space, and is its own canonical form")
    func order() {
        let seed: UInt64 = 7_464
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let tree = Tree.random(depth: 3, using: &generator)
            let first = canonical(tree.text(using: &generator))
            #expect(first != nil)
            #expect(first == canonical(tree.text(using: &generator)))
            #expect(first == first.flatMap(canonical))
        }
    }

    @Test("members are sorted in objects of every size", arguments: [1, 2, 31, 32, 33, 200, 3_000])
    func sizes(count: Int) {
        let keys = (0..<count).map { "key\($0 * 7919 % 100_003)" }
        let text = "{" + keys.map { "\"\($0)\":0" }.joined(separator: ", ") + "}"
        let sorted = keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(canonical(text) == "{" + sorted.map { "\"\($0)\":0" }.joined(separator: ",") + "}")
    }
}
