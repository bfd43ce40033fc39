import RationModel
import TestSupport
import Testing

@Suite("RFC 3339 dates are read as they are allowed to be written, and nothing else is")
struct InstantReadingTests {
    static let eight: Int64 = 1_796_112_000_000

    @Test(
        "Spellings of one instant",
        arguments: [
            "2026-12-01T08:00:00Z", "2026-12-01t08:00:00z", "2026-12-01 08:00:00Z", "2026-12-01T08:00:00.0Z",
            "2026-12-01T08:00:00.000Z", "2026-12-01T08:00:00.0009Z", "2026-12-01T08:00:00.00000000000000000000001z",
            "2026-12-01T08:00:00+00:00", "2026-12-01T08:00:00-00:00", "2026-12-01T05:00:00-03:00",
            "2026-12-01T13:45:00+05:45", "2026-12-02T07:59:00+23:59", "2026-11-30T08:01:00-23:59",
            "2026-12-01T07:59:60Z", "2026-12-01T08:59:60.000+01:00",
        ])
    func spellings(_ text: String) {
        #expect(Instant(rfc3339: text)?.milliseconds == Self.eight)
    }

    @Test(
        "Digits beyond milliseconds are cut, fewer are filled up",
        arguments: [
            (".1", 100), (".12", 120), (".123", 123), (".1239", 123), (".999999999", 999), (".05", 50), (".007", 7),
        ] as [(String, Int64)])
    func fractions(fraction: String, milliseconds: Int64) {
        #expect(Instant(rfc3339: "2026-12-01T08:00:00\(fraction)Z")?.milliseconds == Self.eight + milliseconds)
        let early = Instant(rfc3339: "1969-12-31T23:59:59\(fraction)Z")?.milliseconds
        #expect(early == milliseconds - 1000, "before 1970 a fraction counts forward too")
    }

    @Test(
        "Days that exist, just",
        arguments: [
            "2024-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "0000-02-29T00:00:00Z", "2026-04-30T23:59:60Z",
            "0000-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00+23:59", "9999-12-31T23:59:60-23:59",
        ])
    func existing(_ text: String) {
        #expect(Instant(rfc3339: text) != nil)
    }

    @Test(
        "Days and hours that do not exist",
        arguments: [
            "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-02-30T00:00:00Z",
            "2026-04-31T00:00:00Z", "2026-06-31T00:00:00Z", "2026-09-31T00:00:00Z", "2026-11-31T00:00:00Z",
            "2026-01-32T00:00:00Z", "2026-00-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z",
            "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00+24:00",
            "2026-01-01T00:00:00-00:60", "2026-01-01T00:00:00+99:99",
        ])
    func missing(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test(
        "Other shapes",
        arguments: [
            "", "Z", "2026", "2026-12-01", "2026-12-01T08:00Z", "2026-12-01T08:00:00", "2026-12-01T08:00:00.",
            "2026-12-01T08:00:00.Z", "2026-12-01T08:00:00.5", "2026-12-01T08:00:00,5Z", "2026-12-01T08:00:00.5.5Z",
            "2026-12-01T08:00:00.-5Z", "2026-12-01T08:00:00 Z", "2026-12-01T08:00:00ZZ", "2026-12-01T08:00:00Z ",
            " 2026-12-01T08:00:00Z", "2026-12-01T08:00:00Z\n", "2026-12-01T08:00:00Z\0", "2026-12-01X08:00:00Z",
            "2026-12-01_08:00:00Z", "2026/12/01T08:00:00Z", "2026-12/01T08:00:00Z", "2026-12-01T08.00:00Z",
            "2026-12-01T08:00.00Z", "26-12-01T08:00:00.0Z", "+2026-12-01T08:00:00Z", "-026-12-01T08:00:00Z",
            "12026-12-01T08:00:00Z", "2026-1-01T008:00:00Z", "20261201T080000.0000Z", "2026-W49-2T08:00:00Z",
            "2026-12-01T08:00:00+1:00", "2026-12-01T08:00:00+0100", "2026-12-01T08:00:00+01", "2026-12-01T08:00:00+",
            "2026-12-01T08:00:00+01:0", "2026-12-01T08:00:00+01:000", "2026-12-01T08:00:00+01.00",
            "2026-12-01T08:00:00*01:00", "2026-12-01T08:00:00Z+01:00", "2026-12-01T08:00:00UTC",
            "2026-12-01T08:00:0１Z", "٢٠٢٦-12-01T08:00:00Z", "२०26-12-01T08:00:00Z", "2026-12-01T08:00:00\u{2212}01:00",
        ])
    func malformed(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test("One byte changed, taken away or put in: never a crash, and what is read is written as it is read")
    func mutations() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let texts = ["2026-12-01T08:00:00Z", "2024-02-29T23:59:60.123456+05:45"].map { Array($0.utf8) }
        for _ in 0..<50_000 {
            var text = texts[Int.random(in: 0..<2, using: &random)]
            let place = Int.random(in: 0..<text.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: text[place] = .random(in: 0...255, using: &random)
            case 1: text.remove(at: place)
            default: text.insert("0123456789.:+-TZ ".utf8.randomElement(using: &random) ?? 0, at: place)
            }
            let read = text.withUnsafeBytes { Instant(rfc3339: $0) }
            guard let read else { continue }
            try #require(Instant.writable.contains(read))
            try #require(
                Instant(rfc3339: read.rfc3339) == read, "seed \(seed), \(String(decoding: text, as: UTF8.self))")
        }
    }
}
