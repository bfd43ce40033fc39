import RationConfiguration
import RationModel
import TestSupport
import Testing

@Suite("A document that cannot be read is refused quickly, with its place")
struct YAMLDocumentTests {
    private func faults(_ bytes: [UInt8]) -> [String] {
        do {
            return try YAMLDocument(bytes, file: "d").faults.map(\.description)
        } catch {
            return error.faults.map(\.description)
        }
    }

    private func faults(_ text: String) -> [String] {
        faults(Array(text.utf8))
    }

    @Test(
        "syntax",
        arguments: [
            BadDocument("", "d:1:1: expected a mapping, found an empty file"),
            BadDocument("# nothing\n", "d:2:1: expected a mapping, found an empty file"),
            BadDocument("a: b: c", "d:1:5: mapping values are not allowed in this context"),
            BadDocument("{\"a\":1", "d:2:1: did not find expected ',' or '}' while parsing a flow mapping"),
            BadDocument(
                "a: 1\n\tb: 2", "d:2:1: found a tab character that violates indentation while scanning a plain scalar"),
            BadDocument("a: 1\n---\nb: 2\n", "d:2:1: expected one document, found a second one"),
            BadDocument("a: *x", "d:1:4: unknown alias '*x'"),
            BadDocument("a: &x [*x]", "d:1:8: unknown alias '*x'"),
            BadDocument("[1]: 2", "d:1:1: expected a name as key, found a list"),
            BadDocument("a: !colour red", "d:1:4: the tag '!colour' is not taken here"),
            BadDocument("ä: 1\nb: \u{1}", "d:2:4: control characters are not allowed"),
        ])
    func syntax(document: BadDocument) {
        #expect(faults(document.text) == document.faults)
    }

    @Test("bytes that are no UTF-8, and a NUL, are told with line and column")
    func encoding() {
        #expect(
            faults(Array("a: ä\nb: ä".utf8) + [0xFF]) == ["d:2:5: expected text in UTF-8, found bytes that are none"])
        #expect(faults(Array("a: b".utf8) + [0] + Array("c".utf8)) == ["d:1:5: expected text in UTF-8, found a NUL"])
        #expect(faults([0xFF, 0xFE, 0x61, 0]) == ["d:1:1: expected text in UTF-8, found bytes that are none"])
    }

    @Test("a key twice in one mapping is told for each mapping, with the path; the first counts")
    func duplicateKeys() throws {
        let text = "a: {x: 1, x: 2}\nb:\n  - {y: 1, 'y': 2}\na: 5\n"
        let document = try YAMLDocument(Array(text.utf8), file: "d")
        #expect(
            document.faults.map(\.description) == [
                "d:1:11: a.x: the key 'x' stands here twice, first on line 1",
                "d:3:12: b[0].y: the key 'y' stands here twice, first on line 3",
                "d:4:1: a: the key 'a' stands here twice, first on line 1",
            ])
        guard case .mapping(let entries) = document.root.value else {
            Issue.record("expected a mapping")
            return
        }
        #expect(entries.map(\.key) == ["a", "b"])
    }

    @Test("64 levels are taken, 65 refused; an alias does not hide levels")
    func depth() {
        func nested(_ levels: Int) -> String {
            String(repeating: "[", count: levels - 1) + "1" + String(repeating: "]", count: levels - 1)
        }
        #expect(faults(nested(64)).isEmpty)
        #expect(faults(nested(65)) == ["d:1:65: nested deeper than 64 levels"])
        func aliased(_ levels: Int) -> String {
            let (open, close) = (String(repeating: "[", count: levels), String(repeating: "]", count: levels))
            return "a: &a \(nested(40))\nb: \(open)*a\(close)"
        }
        #expect(faults(aliased(23)).isEmpty)
        #expect(faults(aliased(24)) == ["d:2:28: nested deeper than 64 levels"])
        #expect(faults(String(repeating: "[", count: 1_000_000)) == ["d:1:65: nested deeper than 64 levels"])
    }

    @Test("aliases count as what they stand for: a billion of them is refused after a few lines")
    func billionLaughs() throws {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let aliases = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(aliases)]\n"
        }
        let found = faults(text)
        let fault = try #require(found.first)
        #expect(fault.hasSuffix("expected at most 250000 values, aliases counted as what they stand for"))
        #expect(fault.hasPrefix("d:6:"))
    }

    @Test("250,000 values are taken, one more is refused")
    func nodes() {
        let items = Array(repeating: "1", count: YAMLDocument.limitNodes - 1)
        #expect(faults("[" + items.joined(separator: ",") + "]").isEmpty)
        #expect(faults("[" + items.joined(separator: ",") + ",1]").count == 1)
    }

    @Test("4 MiB are taken, one byte more is refused")
    func size() {
        let text = [UInt8](repeating: UInt8(ascii: "a"), count: YAMLDocument.limitBytes)
        #expect(faults(text).isEmpty)
        #expect(faults(text + [UInt8(ascii: "a")]) == ["d: expected at most 4194304 bytes, found 4194305"])
    }

    @Test("bytes of every kind end in a document or in faults with a place")
    func noise() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SplitMix64(seed: seed)
        let pieces = [
            "a", ": ", "\n", "- ", "{", "}", "[", "]", ",", "\"", "'", "&x ", "*x", "!", "|\n", ">\n", "#", "%", "\t",
            "  ", "?", "---\n", "é", "1",
        ]
        for _ in 0..<2000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...24, using: &generator) {
                text += pieces.randomElement(using: &generator) ?? ""
            }
            guard (try? YAMLDocument(Array(text.utf8), file: "d")) == nil else { continue }
            let found = faults(text)
            #expect(
                !found.isEmpty && found.allSatisfy { $0.hasPrefix("d:") && !$0.hasPrefix("d:0") },
                "seed \(seed): \(text.debugDescription)")
        }
    }
}
