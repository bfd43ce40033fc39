import RationModel
import RationPlanner
import TestSupport
import Testing

@Suite("The days that a calendar pattern names")
struct CalendarDatesTests {
    static func pattern(_ components: [(CalendarPattern.Component, Int16)]) -> CalendarPattern {
        var pattern = CalendarPattern()
        for (component, value) in components { pattern[component] = value }
        return pattern
    }

    private func next(_ pattern: CalendarPattern, after: String, until: String = "9999-12-31T23:59:59Z") throws
        -> String?
    {
        let (after, until) = (try #require(Instant(rfc3339: after)), try #require(Instant(rfc3339: until)))
        return pattern.next(after: after, in: .utc, until: until)?.rfc3339
    }

    @Test(
        "larger components match any value, smaller ones take their lowest",
        arguments: [
            ([(.month, 12)], "2026-12-01T00:00:00.000Z"), ([(.year, 2027)], "2027-01-01T00:00:00.000Z"),
            ([(.year, 2026)], nil), ([(.month, 1), (.hour, 9)], "2027-01-01T09:00:00.000Z"),
            ([(.day, 15)], "2026-12-15T00:00:00.000Z"), ([(.day, 30)], "2026-12-30T00:00:00.000Z"),
            ([(.weekday, 2)], "2026-12-07T00:00:00.000Z"), ([(.weekday, 2), (.hour, 8)], "2026-12-07T08:00:00.000Z"),
            ([(.weekday, 2), (.hour, 9)], "2026-11-30T09:00:00.000Z"),
            ([(.year, 2026), (.hour, 7)], "2026-12-01T07:00:00.000Z"),
            ([(.year, 2027), (.hour, 7)], "2027-01-01T07:00:00.000Z"),
            ([(.year, 2028), (.weekday, 1)], "2028-01-02T00:00:00.000Z"),
            ([(.month, 3), (.weekday, 1)], "2027-03-07T00:00:00.000Z"),
            ([(.year, 2027), (.day, 31)], "2027-01-31T00:00:00.000Z"),
            ([(.year, 2027), (.month, 3)], "2027-03-01T00:00:00.000Z"),
            ([(.hour, 8)], "2026-12-01T08:00:00.000Z"), ([(.hour, 8), (.minute, 1)], "2026-11-30T08:01:00.000Z"),
            ([(.minute, 0)], "2026-11-30T09:00:00.000Z"), ([(.second, 0)], "2026-11-30T08:01:00.000Z"),
            ([(.second, 30)], "2026-11-30T08:00:30.000Z"), ([(.minute, 5), (.second, 7)], "2026-11-30T08:05:07.000Z"),
        ] as [([(CalendarPattern.Component, Int16)], String?)])
    func lowest(components: [(CalendarPattern.Component, Int16)], expected: String?) throws {
        #expect(try next(Self.pattern(components), after: "2026-11-30T08:00:00Z") == expected)
    }

    @Test(
        "all date components that are named must match, and dates that do not exist are skipped",
        arguments: [
            ([(.day, 31), (.hour, 9)], "2027-01-31T09:00:00Z", "2027-03-31T09:00:00.000Z"),
            ([(.month, 2), (.day, 29)], "2026-11-30T08:00:00Z", "2028-02-29T00:00:00.000Z"),
            ([(.month, 2), (.day, 29)], "2096-02-29T00:00:00Z", "2104-02-29T00:00:00.000Z"),
            ([(.month, 2), (.day, 29), (.weekday, 1)], "2026-11-30T08:00:00Z", "2032-02-29T00:00:00.000Z"),
            ([(.month, 2), (.day, 29), (.weekday, 2)], "2072-03-01T00:00:00Z", "2112-02-29T00:00:00.000Z"),
            ([(.month, 2), (.day, 30)], "2026-11-30T08:00:00Z", nil),
            ([(.day, 13), (.weekday, 6)], "2026-11-30T08:00:00Z", "2027-08-13T00:00:00.000Z"),
            ([(.year, 2027), (.month, 2), (.day, 29)], "2026-11-30T08:00:00Z", nil),
            (
                [(.year, 2027), (.month, 12), (.day, 31), (.weekday, 6)], "2026-01-01T00:00:00Z",
                "2027-12-31T00:00:00.000Z"
            ),
            ([(.year, 2027), (.month, 12), (.day, 31), (.weekday, 7)], "2026-01-01T00:00:00Z", nil),
            ([(.year, 2025), (.month, 1), (.day, 1)], "2026-11-30T08:00:00Z", nil),
            (
                [(.year, 9999), (.month, 12), (.day, 31), (.hour, 23)], "2026-11-30T08:00:00Z",
                "9999-12-31T23:00:00.000Z"
            ),
            ([(.year, 1)], "0000-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
        ] as [([(CalendarPattern.Component, Int16)], String, String?)])
    func dates(components: [(CalendarPattern.Component, Int16)], after: String, expected: String?) throws {
        #expect(try next(Self.pattern(components), after: after) == expected)
    }

    @Test("the limit itself still counts, and nothing after it")
    func limit() throws {
        let nine = Self.pattern([(.hour, 9)])
        let second = Self.pattern([(.second, 30)])
        let (after, hour) = ("2026-11-30T08:00:00Z", "2026-11-30T09:00:00")
        #expect(try next(nine, after: after, until: "\(hour).000Z") == "\(hour).000Z")
        #expect(try next(nine, after: after, until: "2026-11-30T08:59:59.999Z") == nil)
        #expect(try next(nine, after: "\(hour).000Z", until: "\(hour).000Z") == nil)
        #expect(try next(second, after: after, until: "2026-11-30T08:00:30.000Z") == "2026-11-30T08:00:30.000Z")
        #expect(try next(second, after: after, until: "2026-11-30T08:00:29.999Z") == nil)
    }

    @Test("the ends of the range of instants are no match and no fault")
    func ends() {
        for component in CalendarPattern.Component.allCases {
            let pattern = Self.pattern([(component, component.range.lowerBound)])
            let first = pattern.next(after: .distantPast, in: .utc, until: .distantFuture)
            #expect(first.map { Instant.writable.contains($0) } == true)
            #expect(pattern.next(after: Instant.writable.upperBound, in: .utc, until: .distantFuture) == nil)
            #expect(pattern.next(after: .distantFuture, in: .utc, until: .distantFuture) == nil)
            #expect(pattern.next(after: .distantPast, in: .utc, until: .distantPast) == nil)
        }
    }

    @Test("a search through all days of thirteen years finds the same")
    func search() {
        let seed: UInt64 = 4
        var random = SplitMix64(seed: seed)
        // 2023-01-01 to 2035-12-31.
        let days = 19_358...24_105
        let dates = days.map { (day: Int64($0), date: CalendarDay($0)) }
        for _ in 0..<150 {
            let pattern = Self.pattern(of: dates[Int.random(in: dates.indices, using: &random)].date, &random)
            let time = Int64(max(pattern.hour, 0)) * 3_600_000
            let matches = dates.filter { pattern.matches($0.date) }
                .map { $0.day * Instant.dayMilliseconds + time }
            let end = Int64(days.upperBound + 1) * Instant.dayMilliseconds - 1
            for day in (0..<12).map({ _ in Int.random(in: days, using: &random) }) {
                let after = Int64(day) * Instant.dayMilliseconds + Int64.random(in: 0...1, using: &random) * time
                let found = pattern.next(
                    after: Instant(milliseconds: after), in: .utc, until: Instant(milliseconds: end))
                #expect(
                    found?.milliseconds == matches.first { $0 > after }, "seed \(seed): \(pattern) after \(after)")
            }
        }
    }

    /// A pattern of some of a date's components, one of them at times another.
    private static func pattern(of date: CalendarDay, _ random: inout SplitMix64) -> CalendarPattern {
        while true {
            var pattern = CalendarPattern()
            if Int.random(in: 0...3, using: &random) == 0 { pattern.year = Int16(date.year) }
            if Bool.random(using: &random) { pattern.month = Int16(date.month) }
            if Bool.random(using: &random) { pattern.day = Int16(date.day) }
            if Bool.random(using: &random) { pattern.weekday = Int16.random(in: 1...7, using: &random) }
            if Bool.random(using: &random) { pattern.hour = Int16.random(in: 0...23, using: &random) }
            if !pattern.isEmpty { return pattern }
        }
    }
}
