import TestSupport
import Testing

@testable import RationSupervision

@Suite("An output's bytes become lines")
struct LineCutterTests {
    private func lines(_ parts: [[UInt8]]) -> [[UInt8]] {
        var cutter = LineCutter()
        var lines: [[UInt8]] = []
        for part in parts { part.withUnsafeBytes { bytes in cutter.take(bytes) { lines.append(Array($0)) } } }
        cutter.finish { lines.append(Array($0)) }
        return lines
    }

    @Test(
        "a line ends with its newline, the last one also without",
        arguments: [
            ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb", ["a", "", "b"]), ("a\r\n", ["a\r"]),
        ] as [(String, [String])])
    func ends(text: String, expected: [String]) {
        #expect(lines([Array(text.utf8)]) == expected.map { Array($0.utf8) })
    }

    @Test("a line of 16 KiB is whole, a longer one comes in pieces", arguments: [-1, 0, 1])
    func longLine(beyond: Int) {
        let limit = LineCutter.limitBytes
        let found = lines([[UInt8](repeating: 0x78, count: limit + beyond) + [0x0A, 0x79]])
        #expect(found.map(\.count).filter { $0 > 0 } == (beyond > 0 ? [limit, beyond, 1] : [limit + beyond, 1]))
    }

    @Test("however the bytes come, the lines are the same", arguments: [1, 2, 3] as [UInt64])
    func anySplit(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let bytes = (0..<60_000).map { _ in random.next() % 4_000 == 0 ? UInt8(ascii: "\n") : UInt8(ascii: "x") }
        let whole = lines([bytes])
        for _ in 0..<20 {
            var parts: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = min(rest.count, 1 + Int(random.next() % 20_000))
                parts.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            #expect(lines(parts) == whole, "seed \(seed)")
        }
    }
}
