import RationModel
import Testing

@testable import RationZones

@Suite("POSIX TZ strings (RFC 9636 section 3.3.1)")
struct ZoneRulePOSIXTests {
    private static let hour: Int64 = 3_600_000

    private static func daylight(
        _ offset: Int64, _ begins: ZoneRule.Day, _ beginHours: Int64, _ ends: ZoneRule.Day, _ endHours: Int64
    ) -> ZoneRule.Daylight {
        ZoneRule.Daylight(
            offsetMilliseconds: offset * hour, begins: .init(day: begins, milliseconds: beginHours * hour),
            ends: .init(day: ends, milliseconds: endHours * hour))
    }

    @Test(
        "what is read",
        arguments: [
            ("UTC0", ZoneRule(standardMilliseconds: 0)), ("<-03>3", ZoneRule(standardMilliseconds: -3 * hour)),
            ("<+0545>-5:45", ZoneRule(standardMilliseconds: 5 * hour + 45 * 60_000)),
            ("ABC+1:02:03", ZoneRule(standardMilliseconds: -3_723_000)),
            (
                "CET-1CEST,M3.5.0,M10.5.0/3",
                ZoneRule(
                    standardMilliseconds: hour,
                    daylight: daylight(
                        2, .weekday(month: 3, week: 5, day: 0), 2, .weekday(month: 10, week: 5, day: 0), 3))
            ),
            (
                "IST-1GMT0,M10.5.0,M3.5.0/1",
                ZoneRule(
                    standardMilliseconds: hour,
                    daylight: daylight(
                        0, .weekday(month: 10, week: 5, day: 0), 2, .weekday(month: 3, week: 5, day: 0), 1))
            ),
            (
                "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
                ZoneRule(
                    standardMilliseconds: -2 * hour,
                    daylight: daylight(
                        -1, .weekday(month: 3, week: 5, day: 0), -1, .weekday(month: 10, week: 5, day: 0), 0))
            ),
            (
                "XXX3EDT4,0/0,J365/23",
                ZoneRule(standardMilliseconds: -3 * hour, daylight: daylight(-4, .ordinal(0), 0, .julian(365), 23))
            ),
            (
                "AAA0BBB,J1/167,365/-167",
                ZoneRule(standardMilliseconds: 0, daylight: daylight(1, .julian(1), 167, .ordinal(365), -167))
            ),
        ])
    func read(text: String, rule: ZoneRule) {
        #expect(ZoneRule(posix: text.utf8) == rule)
    }

    @Test(
        "what is refused",
        arguments: [
            "", "UTC", "U0", "UT0", "<UTC0", "<>0", "UTC25", "UTC-25", "UTC0:60", "UTC0:00:60", "UTC0 ", "UTC0:", "1",
            "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,", "CET-1CEST,M3.5.0,M10.5.0/",
            "CET-1CEST,M0.5.0,M10.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.0.0,M10.5.0",
            "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5,M10.5.0", "CET-1CEST,J0,J5",
            "CET-1CEST,J366,J5", "CET-1CEST,366,J5", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,M3.5.0/-168,M10.5.0",
            "CET-1CEST,M3.5.0,M10.5.0,", "CET-1CEST,M3.5.0,M10.5.0/3x", "C\u{e9}T-1", "UTC99999999999999999999",
        ])
    func refused(text: String) {
        #expect(ZoneRule(posix: text.utf8) == nil)
    }
}
