import RationCommandLine
import Testing

@Suite("Text from services cannot rewrite a terminal")
struct PrintableTests {
    @Test(
        "control characters, separators and changes of direction are shown by number; everything else stays",
        arguments: [
            ("water", "water"), ("", ""), ("z\u{1B}[31m", "z\\u{1B}[31m"), ("a\u{7}\u{0}b", "a\\u{7}\\u{0}b"),
            ("\u{9B}2J", "\\u{9B}2J"), ("\u{202E}txt", "\\u{202E}txt"), ("a\u{2028}b", "a\\u{2028}b"),
            ("\u{7F}", "\\u{7F}"), ("caf\u{E9} \u{65E5}\u{672C} \u{1F600}", "caf\u{E9} \u{65E5}\u{672C} \u{1F600}"),
            ("\u{1F468}\u{200D}\u{1F469}", "\u{1F468}\u{200D}\u{1F469}"),
        ])
    func printable(text: String, shown: String) {
        #expect(text.printable == shown)
    }
}
