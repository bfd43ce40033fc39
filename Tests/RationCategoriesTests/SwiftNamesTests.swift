import Testing

@testable import RationCategories

@Suite("Identifiers as Swift's names and texts as its literals")
struct SwiftNamesTests {
    @Test(
        "an identifier's words are joined in lower camel case",
        arguments: [
            ("reminder", "reminder"), ("Message", "message"), ("NEW_MESSAGE", "newMessage"),
            ("new-message", "newMessage"),
            ("com.example.reply", "comExampleReply"), ("URLOpened", "urlOpened"), ("newURL", "newURL"),
            ("3 days", "_3Days"),
            ("täglich", "täglich"), ("日本", "日本"), ("!?", "category"), ("👍", "category"), ("default", "defaultCategory"),
            ("SELF", "selfCategory"), ("Type", "type"), ("Protocol", "protocolCategory"), ("open", "open"),
            ("a/b", "aB"), ("\u{301}x", "x"),
        ])
    func names(identifier: String, expected: String) {
        var names = SwiftNames(of: "category")
        #expect(names.name(for: identifier) == expected)
    }

    @Test("identifiers that would share a name get different ones, the same in every run")
    func collisions() {
        var names = SwiftNames(of: "action")
        let identifiers = ["a-b", "a_b", "aB", "aB_2", "!", "?", "default", "defaultAction"]
        #expect(
            identifiers.map { names.name(for: $0) } == [
                "aB", "aB_2", "aB_3", "aB2", "action", "action_2", "defaultAction", "defaultAction_2",
            ])
    }

    @Test(
        "a literal holds no quote, backslash, line break or unseen character as it is",
        arguments: [
            ("plain é 日本 👩‍👩‍👧", "\"plain é 日本 👩‍👩‍👧\""), ("a\"b", #""a\"b""#), (#"\(x)"#, #""\\(x)""#),
            ("a\nb\tc", #""a\nb\tc""#),
            ("\r\u{0}\u{7F}\u{85}", #""\u{D}\u{0}\u{7F}\u{85}""#),
            ("\u{2028}\u{202E}\u{FEFF}", #""\u{2028}\u{202E}\u{FEFF}""#),
            ("\u{301}e\u{301}", "\"\\u{301}e\u{301}\""), ("\u{A0}", #""\u{A0}""#), ("", "\"\""),
        ])
    func literals(text: String, expected: String) {
        let literal = SwiftLiteral.quoted(text)
        #expect(Array(literal.utf8) == Array(expected.utf8))
    }
}
