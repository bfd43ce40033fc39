import Foundation
import RationModel
import TestSupport
import Testing

@Suite("Dates are written in UTC with milliseconds")
struct InstantWritingTests {
    @Test(
        "Known instants",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"), (1, "1970-01-01T00:00:00.001Z"),
            (1_796_112_000_000, "2026-12-01T08:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func known(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
        #expect(Instant(rfc3339: text) == Instant(milliseconds: milliseconds))
    }

    @Test(
        "What has no year of four digits is written as the nearest date that has",
        arguments: [
            (-62_167_219_200_001, "0000-01-01T00:00:00.000Z"), (.min, "0000-01-01T00:00:00.000Z"),
            (253_402_300_800_000, "9999-12-31T23:59:59.999Z"), (.max, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)])
    func clamped(milliseconds: Int64, text: String) {
        #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test("Random instants read back as they were, and as Foundation writes them")
    func foundation() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // Foundation's calendar is Julian before October 1582.
        let gregorian = Instant(milliseconds: -12_212_553_600_000)
        for _ in 0..<20_000 {
            let range = Instant.writable
            let instant = Instant(
                milliseconds: .random(in: range.lowerBound.milliseconds...range.upperBound.milliseconds, using: &random)
            )
            try #require(Instant(rfc3339: instant.rfc3339) == instant, "seed \(seed), \(instant.milliseconds)")
            guard instant >= gregorian else { continue }
            // A quarter of a millisecond keeps the double from being cut to the millisecond before.
            let date = Date(timeIntervalSince1970: (Double(instant.milliseconds) + 0.25) / 1000)
            try #require(instant.rfc3339 == style.format(date), "seed \(seed), \(instant.milliseconds)")
        }
    }

    @Test("Every day from year 0 to 9999 follows the day before")
    func everyDay() throws {
        var days = Instant.days(year: 0, month: 1, day: 1)
        #expect(days == Instant.writable.lowerBound.milliseconds / 86_400_000)
        for year in 0...9999 {
            let isLeapYear = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
            for (index, length) in [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].enumerated() {
                for day in [1, length] {
                    let found = days + Int64(day - 1)
                    try #require(Instant.days(year: year, month: index + 1, day: day) == found)
                    try #require(Instant.date(days: found) == (year, index + 1, day))
                }
                days += Int64(length)
            }
        }
    }

    @Test("Adding stops at the ends of the range")
    func saturation() {
        #expect(Instant(milliseconds: 5).advanced(by: -7) == Instant(milliseconds: -2))
        #expect(Instant(milliseconds: .max - 1).advanced(by: 1) == .distantFuture)
        #expect(Instant(milliseconds: .max - 1).advanced(by: 2) == .distantFuture)
        #expect(Instant(milliseconds: .min + 1).advanced(by: -2) == .distantPast)
        #expect(Instant.distantPast.advanced(by: .max) == Instant(milliseconds: -1))
    }
}
