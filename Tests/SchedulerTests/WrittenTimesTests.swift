import RationModel
import RationPluginKit
import Testing

@Suite("Days and times as facts write them, and wall clocks")
struct WrittenTimesTests {
    @Test(
        "weekdays",
        arguments: [
            ("daily", 0b111_1111), ("weekdays", 0b001_1111), ("weekend", 0b110_0000), ("mon", 0b1),
            ("sun, mon", 0b100_0001),
            ("mon,mon", 0b1), ("", nil), ("mon,", nil), ("mon tue", nil), ("MON", nil), ("mon,daily", nil),
            (" tue ", 0b10),
        ] as [(String, UInt8?)])
    func weekdays(text: String, bits: UInt8?) {
        #expect(WeekdaySet(written: text)?.rawValue == bits)
    }

    @Test("the weekday of a day, before 1970 too")
    func weekdayOfDay() {
        let thursday = WeekdaySet(rawValue: 0b1000)
        for day in Int64(-30)...30 {
            #expect(thursday.contains(day: day) == (Instant.weekday(day: day) == 5), "day \(day)")
        }
    }

    @Test("lists of times are sorted, each once")
    func times() {
        #expect(TimeOfDay.list("21:00, 07:30,07:30") == [450, 1260])
        #expect(TimeOfDay.list("00:00") == [0] && TimeOfDay.list("24:00") == nil && TimeOfDay.list("") == nil)
    }

    @Test("days exist or are nothing; what is written is read back")
    func days() {
        for text in ["0000-01-01", "1969-12-31", "1970-01-01", "2028-02-29", "9999-12-31"] {
            #expect(WrittenDay.day(text).map(WrittenDay.text) == text)
        }
        for text in [
            "2027-02-29", "2026-13-01", "2026-1-1", "", "20260101", "2026-01-01Z", "+026-01-01", "2026-01-0\u{661}",
        ] {
            #expect(WrittenDay.day(text) == nil, "\(text)")
        }
    }

    @Test("a floating clock shows the days of all clocks on Earth")
    func floating() {
        let noon = Instant.at("2026-06-15T12:00:00Z")
        let day = Instant.split(wall: noon.milliseconds).day
        #expect(RecipientClock.floating.days(at: noon) == day...day + 1)
        #expect(RecipientClock.floating.days(at: noon.advanced(by: -1)) == (day - 1)...day + 1)
        #expect(RecipientClock.zone(.utc).days(at: noon) == day...day)
        #expect(
            RecipientClock.instants(of: .wall(noon.milliseconds)) == .at(
                "2026-06-14T22:00:00Z")...(.at("2026-06-16T00:00:00Z")))
    }

    @Test("the extremes of time have days, and do not trap")
    func extremes() {
        for clock in [RecipientClock.floating, .zone(.utc)] {
            #expect(clock.days(at: .distantPast).lowerBound < clock.days(at: .distantFuture).lowerBound)
        }
    }
}
