import RationModel
import RationPlanner
import Testing

@Suite("Calendar patterns where clocks change")
struct CalendarZonesTests {
    private static func zone(_ offsets: (before: Int64, after: Int64), minutesAt date: String) throws -> ZoneTable {
        let start = try #require(Instant(rfc3339: date))
        return ZoneTable(
            name: "Test/Zone", offsetMilliseconds: offsets.before * 60_000,
            transitions: [.init(start: start, offsetMilliseconds: offsets.after * 60_000)])
    }

    private func all(
        _ pattern: CalendarPattern, in zone: ZoneTable, from: String, count: Int
    ) throws -> [String] {
        var (found, instant): ([String], Instant) = ([], try #require(Instant(rfc3339: from)))
        while found.count < count, let next = pattern.next(after: instant, in: zone, until: .distantFuture) {
            found.append(String(next.rfc3339.dropFirst(5).prefix(14)))
            instant = next
        }
        return found
    }

    private func pattern(hour: Int16 = -1, minute: Int16 = -1, weekday: Int16 = -1) -> CalendarPattern {
        var pattern = CalendarPattern()
        (pattern.hour, pattern.minute, pattern.weekday) = (hour, minute, weekday)
        return pattern
    }

    @Test("New York, spring: 02:30 is 03:30, and 03:30 is another trigger at the same instant")
    func springForward() throws {
        let zone = try Self.zone((-300, -240), minutesAt: "2026-03-08T07:00:00Z")
        let from = "2026-03-07T12:00:00Z"
        #expect(
            try all(pattern(hour: 2, minute: 30), in: zone, from: from, count: 2) == [
                "03-08T07:30:00", "03-09T06:30:00",
            ])
        #expect(try all(pattern(hour: 3, minute: 30), in: zone, from: from, count: 1) == ["03-08T07:30:00"])
        #expect(try all(pattern(hour: 3), in: zone, from: from, count: 1) == ["03-08T07:00:00"])
        #expect(try all(pattern(hour: 2), in: zone, from: from, count: 1) == ["03-08T07:00:00"])
    }

    @Test("a skipped time is still ahead when a later wall time has passed")
    func outOfOrder() throws {
        let zone = try Self.zone((-300, -240), minutesAt: "2026-03-08T07:00:00Z")
        // 03:10 on the wall: 02:30 was skipped, and comes at 03:30.
        #expect(
            try all(pattern(hour: 2, minute: 30), in: zone, from: "2026-03-08T07:10:00Z", count: 1)
                == ["03-08T07:30:00"])
    }

    @Test("New York, autumn: 01:30 is the first one only, also when asked between the two")
    func fallBack() throws {
        let zone = try Self.zone((-240, -300), minutesAt: "2026-11-01T06:00:00Z")
        let half = pattern(hour: 1, minute: 30)
        #expect(
            try all(half, in: zone, from: "2026-10-31T12:00:00Z", count: 2) == ["11-01T05:30:00", "11-02T06:30:00"])
        #expect(try all(half, in: zone, from: "2026-11-01T06:10:00Z", count: 1) == ["11-02T06:30:00"])
        #expect(try all(half, in: zone, from: "2026-11-01T05:40:00Z", count: 1) == ["11-02T06:30:00"])
    }

    @Test("without hour and date both 01:30 of a repeated hour count, and none in a gap")
    func timeLine() throws {
        let autumn = try Self.zone((-240, -300), minutesAt: "2026-11-01T06:00:00Z")
        #expect(
            try all(pattern(minute: 30), in: autumn, from: "2026-11-01T04:45:00Z", count: 3)
                == ["11-01T05:30:00", "11-01T06:30:00", "11-01T07:30:00"])
        // Lord Howe: from 02:00 at +10:30 to 02:30 at +11:00, and back from 02:00 to 01:30.
        let spring = try Self.zone((630, 660), minutesAt: "2026-10-03T15:30:00Z")
        #expect(
            try all(pattern(minute: 15), in: spring, from: "2026-10-03T14:00:00Z", count: 2)
                == ["10-03T14:45:00", "10-03T16:15:00"])
        let back = try Self.zone((660, 630), minutesAt: "2026-04-04T15:00:00Z")
        #expect(
            try all(pattern(minute: 45), in: back, from: "2026-04-04T14:00:00Z", count: 3)
                == ["04-04T14:45:00", "04-04T15:15:00", "04-04T16:15:00"])
    }

    @Test("Apia had no 30 December 2011: its 09:00 is that of the 31st, once")
    func skippedDay() throws {
        let zone = try Self.zone((-600, 840), minutesAt: "2011-12-30T10:00:00Z")
        #expect(
            try all(pattern(hour: 9), in: zone, from: "2011-12-29T00:00:00Z", count: 3)
                == ["12-29T19:00:00", "12-30T19:00:00", "12-31T19:00:00"])
        // That day was a Friday.
        #expect(
            try all(pattern(hour: 9, weekday: 6), in: zone, from: "2011-12-29T00:00:00Z", count: 1) == [
                "12-30T19:00:00"
            ])
    }

    @Test("midnight that is skipped comes with the day's first instant")
    func skippedMidnight() throws {
        // Santiago: from 00:00 at -04:00 to 01:00 at -03:00; 2026-09-06 is a Sunday.
        let zone = try Self.zone((-240, -180), minutesAt: "2026-09-06T04:00:00Z")
        #expect(try all(pattern(weekday: 1), in: zone, from: "2026-09-01T00:00:00Z", count: 1) == ["09-06T04:00:00"])
    }
}
