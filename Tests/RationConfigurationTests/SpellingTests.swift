import Testing

@testable import RationConfiguration

@Suite("A misspelt name is told with what it was meant to be")
struct SpellingTests {
    @Test("near is up to a third of the longer name's length")
    func third() {
        #expect(Spelling.nearest(to: "abcdxx", among: ["abcdef"]) == "abcdef")
        #expect(Spelling.nearest(to: "abcxxx", among: ["abcdef"]) == nil)
        #expect(Spelling.nearest(to: "ax", among: ["ab"]) == nil)
        #expect(Spelling.nearest(to: "abx", among: ["xbc", "abc", "aby"]) == "abc")
    }

    @Test("text from outside stays one harmless line in a message")
    func quoting() {
        #expect(Quoted.short("a\u{1B}[31m\nb") == "a\\u{1B}[31m\\u{A}b")
        #expect(Quoted.short(String(repeating: "x", count: 61)) == String(repeating: "x", count: 60) + "…")
    }

    @Test(
        "sizes are whole numbers of bytes or of a unit",
        arguments: [
            ("0", 0), ("5", 5), ("1KiB", 1024), ("3MiB", 3_145_728), ("64GiB", 68_719_476_736), ("1MB", nil),
            ("MiB", nil), ("1.5MiB", nil),
            ("-1", nil), ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("9007199254740992KiB", nil),
        ] as [(String, Int?)])
    func sizes(text: String, expected: Int?) {
        #expect(WrittenSize.bytes(text) == expected)
    }
}
