import RationModel
import Testing

@Suite("What a misspelt name was meant to be")
struct NearestNameTests {
    @Test(
        "the distance counts insertions, removals, replacements and swaps of neighbours",
        arguments: [
            ("", "", 0), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "ab", 1), ("abc", "abcd", 1), ("abc", "xbc", 1),
            ("intnets", "intents", 1), ("quueLimit", "queueLimit", 1), ("kitten", "sitting", 3), ("", "abc", 3),
            ("ca", "abc", 3),
        ])
    func distance(left: String, right: String, expected: Int) {
        #expect(NearestName.distance(left, right) == expected)
        #expect(NearestName.distance(right, left) == expected)
    }

    @Test("a name of quite another length is never near, and one whose end is not compared may be")
    func lengths() {
        #expect(NearestName.nearest(to: "abc", among: ["abcd", "abcde"]) == "abcd")
        #expect(NearestName.nearest(to: "abc", among: ["abcde"]) == nil)
        let long = String(repeating: "x", count: 64)
        #expect(NearestName.nearest(to: long + "a", among: [long + "b"]) == long + "b")
    }

    @Test(
        "capitals, separators and the way in which Unicode writes a text make no difference",
        arguments: [
            ("Message", "message"), ("new_message", "NEW-MESSAGE"), ("a.b c", "abC"), ("caf\u{E9}", "CAFE\u{301}"),
        ])
    func folded(left: String, right: String) {
        #expect(NearestName.folded(left) == NearestName.folded(right))
    }
}
