import RationModel
import Testing

@Suite("What a zone's rule says after its last listed transition")
struct ZoneRuleTests {
    private static let hour: Int64 = 3_600_000

    private func zone(_ rule: ZoneRule) -> ZoneTable {
        ZoneTable(name: "Test/Rule", offsetMilliseconds: 0, rule: rule)
    }

    private func rule(
        standard: Int64, daylight: Int64, _ begins: ZoneRule.Change, _ ends: ZoneRule.Change
    ) -> ZoneRule {
        ZoneRule(
            standardMilliseconds: standard * Self.hour,
            daylight: .init(offsetMilliseconds: daylight * Self.hour, begins: begins, ends: ends))
    }

    private func change(_ day: ZoneRule.Day, hours: Int64) -> ZoneRule.Change {
        ZoneRule.Change(day: day, milliseconds: hours * Self.hour)
    }

    /// The transitions after a date, with the offset in hours that each begins.
    private func transitions(_ zone: ZoneTable, after date: String, count: Int) throws -> [String] {
        var instant = try #require(Instant(rfc3339: date))
        var found: [String] = []
        while found.count < count, let next = zone.nextTransition(after: instant) {
            #expect(zone.offset(at: next.advanced(by: -1)) != zone.offset(at: next))
            found.append("\(next.rfc3339.prefix(16)) \(zone.offset(at: next) / Self.hour)")
            instant = next
        }
        return found
    }

    @Test("the last Sundays of March and October", arguments: [2026, 2099, 2100, 2101, 9998])
    func weekdays(year: Int) throws {
        let zone = zone(
            rule(
                standard: 1, daylight: 2, change(.weekday(month: 3, week: 5, day: 0), hours: 2),
                change(.weekday(month: 10, week: 5, day: 0), hours: 3)))
        let expected = [
            2026: ["2026-03-29T01:00 2", "2026-10-25T01:00 1"], 2099: ["2099-03-29T01:00 2", "2099-10-25T01:00 1"],
            2100: ["2100-03-28T01:00 2", "2100-10-31T01:00 1"], 2101: ["2101-03-27T01:00 2", "2101-10-30T01:00 1"],
            9998: ["9998-03-29T01:00 2", "9998-10-25T01:00 1"],
        ]
        #expect(try transitions(zone, after: "\(year)-01-01T00:00:00Z", count: 2) == expected[year])
    }

    @Test("Jn leaves 29 February out, n counts it")
    func numberedDays() throws {
        let zone = zone(rule(standard: 0, daylight: 1, change(.julian(60), hours: 0), change(.ordinal(60), hours: 12)))
        #expect(
            try transitions(zone, after: "2027-01-01T00:00:00Z", count: 4)
                == ["2027-03-01T00:00 1", "2027-03-02T11:00 0", "2028-03-01T00:00 1", "2028-03-01T11:00 0"]
        )
    }

    @Test("south of the equator daylight-saving time goes over the new year")
    func south() throws {
        let zone = zone(
            rule(
                standard: 10, daylight: 11, change(.weekday(month: 10, week: 1, day: 0), hours: 2),
                change(.weekday(month: 4, week: 1, day: 0), hours: 3)))
        #expect(
            try transitions(zone, after: "2150-01-01T00:00:00Z", count: 3)
                == ["2150-04-04T16:00 10", "2150-10-03T16:00 11", "2151-04-03T16:00 10"])
        #expect(zone.offset(at: Instant(milliseconds: 5_680_281_600_000)) == 11 * Self.hour)
    }

    @Test("Dublin: standard time is summer's, and the hour less is in winter")
    func negative() throws {
        let zone = zone(
            rule(
                standard: 1, daylight: 0, change(.weekday(month: 10, week: 5, day: 0), hours: 2),
                change(.weekday(month: 3, week: 5, day: 0), hours: 1)))
        #expect(
            try transitions(zone, after: "2200-01-01T00:00:00Z", count: 2) == [
                "2200-03-30T01:00 1", "2200-10-26T01:00 0",
            ])
    }

    @Test("times below 0 h and over 24 h lie on other days")
    func farTimes() throws {
        // Saturday 23:00 before the last Sunday of March, and seven days less an hour after that of October.
        let zone = zone(
            rule(
                standard: -2, daylight: -1, change(.weekday(month: 3, week: 5, day: 0), hours: -1),
                change(.weekday(month: 10, week: 5, day: 0), hours: 167)))
        #expect(
            try transitions(zone, after: "2101-01-01T00:00:00Z", count: 2)
                == ["2101-03-27T01:00 -1", "2101-11-06T00:00 -2"])
    }

    @Test("daylight-saving time that ends as it begins anew is in force all year, and changes nothing")
    func allYear() throws {
        let zone = zone(
            rule(standard: -3, daylight: -4, change(.ordinal(0), hours: 0), change(.julian(365), hours: 23)))
        #expect(zone.nextTransition(after: Instant(milliseconds: 0)) == nil)
        for year in 1999...2101 {
            for date in ["01-01T02:59:59.999", "01-01T03:00:00.000", "07-01T00:00:00.000", "12-31T23:59:59.999"] {
                let instant = try #require(Instant(rfc3339: "\(year)-\(date)Z"))
                #expect(zone.offset(at: instant) == -4 * Self.hour)
            }
        }
    }

    @Test("a gap in one year of eight is found")
    func leapYears() throws {
        // Day 364 is 31 December, and 30 December of a leap year, so that a day of standard time is left.
        let zone = zone(rule(standard: 0, daylight: 1, change(.ordinal(0), hours: 0), change(.ordinal(364), hours: 25)))
        #expect(
            try transitions(zone, after: "2197-01-01T00:00:00Z", count: 2) == [
                "2204-12-31T00:00 0", "2205-01-01T00:00 1",
            ])
    }
}
