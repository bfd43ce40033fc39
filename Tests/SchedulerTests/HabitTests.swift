import HabitScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("Habit: one-shot reminders of the coming seven days")
struct HabitTests {
    typealias Row = [String: FactValue]

    private let scheduler: HabitScheduler

    init() throws {
        scheduler = try HabitScheduler(settings: [])
    }

    private func habit(_ changes: Row = [:]) -> Row {
        let standard: Row = [
            "habit": .text("water"), "title": .text("Water"), "times": .text("07:30,21:00"),
            "weekdays": .text("mon,wed"), "timeZone": .text("Europe/Madrid"),
        ]
        return standard.merging(changes) { $1 }
    }

    private func lines(_ rows: Row..., now: String) throws -> [String] {
        try scheduler.lines(["habits": rows], now: now).map {
            $0.replacing("com.myapp.habitReminder.", with: "")
        }
    }

    @Test("on the weekdays, at the times, for seven days from now on, and those that may still be shown")
    func week() throws {
        // A Monday, 10:00 in Madrid.
        let answer = try scheduler.answer(["habits": [habit()]], now: "2026-06-15T08:00:00Z")
        #expect(
            try lines(habit(), now: "2026-06-15T08:00:00Z") == [
                "water.2026-06-15.1260 2026-06-15T19:00:00Z", "water.2026-06-15.450 2026-06-15T05:30:00Z",
                "water.2026-06-17.1260 2026-06-17T19:00:00Z", "water.2026-06-17.450 2026-06-17T05:30:00Z",
                "water.2026-06-22.450 2026-06-22T05:30:00Z",
            ])
        #expect(answer.nextChange == .at("2026-06-15T19:00:00Z"))
        let first = try #require(answer.sorted.first)
        #expect(first.type == "habit" && first.expires == .at("2026-06-15T23:00:00Z") && first.overdue == .drop)
        #expect(first.content.title == "Water" && first.content.userInfo == ["habit": "water"])
    }

    @Test(
        "one expires four hours after its time: just before, at, just after",
        arguments: [("09:29:59.999Z", true), ("09:30:00.000Z", false), ("09:30:00.001Z", false)])
    func expiry(time: String, isWanted: Bool) throws {
        let lines = try lines(habit(), now: "2026-06-15T\(time)")
        #expect(lines.contains { $0.hasPrefix("water.2026-06-15.450 ") } == isWanted)
    }

    @Test(
        "one is wanted from seven days before its time on: just before, at, just after",
        arguments: [("18:59:59.999Z", false), ("19:00:00.000Z", true), ("19:00:00.001Z", true)])
    func horizon(time: String, isWanted: Bool) throws {
        let lines = try lines(habit(), now: "2026-06-15T\(time)")
        #expect(lines.contains { $0.hasPrefix("water.2026-06-22.1260 ") } == isWanted)
    }

    @Test(
        "when clocks change, a time in a gap is read with the offset before it, and of two the first counts",
        arguments: [
            ("Europe/Madrid", "2026-03-29", "02:30", "2026-03-29T01:30:00Z"),
            ("Europe/Madrid", "2026-03-29", "01:59", "2026-03-29T00:59:00Z"),
            ("Europe/Madrid", "2026-03-29", "03:00", "2026-03-29T01:00:00Z"),
            ("Europe/Madrid", "2026-10-25", "02:30", "2026-10-25T00:30:00Z"),
            ("Europe/Madrid", "2026-10-25", "03:00", "2026-10-25T02:00:00Z"),
            ("America/Sao_Paulo", "2018-11-04", "00:00", "2018-11-04T03:00:00Z"),
            ("America/Sao_Paulo", "2018-11-04", "00:30", "2018-11-04T03:30:00Z"),
            ("America/Sao_Paulo", "2019-02-16", "23:30", "2019-02-17T01:30:00Z"),
            ("Australia/Lord_Howe", "2026-04-05", "01:45", "2026-04-04T14:45:00Z"),
            ("Australia/Lord_Howe", "2026-04-05", "02:00", "2026-04-04T15:30:00Z"),
            ("Australia/Lord_Howe", "2026-10-04", "02:15", "2026-10-03T15:45:00Z"),
            ("Australia/Lord_Howe", "2026-10-04", "02:30", "2026-10-03T15:30:00Z"),
        ])
    func clocks(zone: String, day: String, time: String, expected: String) throws {
        let row = habit([
            "timeZone": .text(zone), "times": .text(time), "weekdays": .null, "starts": .text(day), "ends": .text(day),
        ])
        let minute = try #require(TimeOfDay.minutes(time))
        let before = Instant.at(expected).advanced(by: -3 * Instant.dayMilliseconds)
        #expect(try lines(row, now: before.rfc3339) == ["water.\(day).\(minute) \(expected)"])
    }

    @Test("without a zone its times are on the device's clock, wherever that is on Earth")
    func floating() throws {
        let row = habit(["timeZone": .null, "times": .text("08:00"), "starts": .text("2026-06-17")])
        let answer = try scheduler.answer(["habits": [row]], now: "2026-06-15T08:00:00Z")
        #expect(answer.sorted.map(\.date.text) == ["2026-06-17T08:00:00", "2026-06-22T08:00:00"])
        // 08:00 at UTC−12 is 20:00 UTC; then four hours more.
        #expect(answer.sorted.first?.expires == .at("2026-06-18T00:00:00Z"))
        // Seven days before 08:00 at UTC+14 it is wanted.
        #expect(answer.nextChange == .at("2026-06-16T18:00:00Z"))
    }

    @Test("a traveller's reminders keep their ids and move to the new clock")
    func traveller() throws {
        let row = habit(["times": .text("08:00"), "weekdays": .text("wed")])
        let abroad = habit(["times": .text("08:00"), "weekdays": .text("wed"), "timeZone": .text("Asia/Kathmandu")])
        #expect(
            try lines(row, now: "2026-06-15T08:00:00Z") == ["water.2026-06-17.480 2026-06-17T06:00:00Z"])
        #expect(
            try lines(abroad, now: "2026-06-15T08:00:00Z") == ["water.2026-06-17.480 2026-06-17T02:15:00Z"])
    }

    @Test("29 February is a day of leap years, and a fault in others")
    func leapDay() throws {
        let row = habit([
            "weekdays": .text("daily"), "times": .text("12:00"), "starts": .text("2028-02-28"),
            "ends": .text("2028-03-01"),
        ])
        #expect(
            try lines(row, now: "2028-02-25T00:00:00Z").map { String($0.prefix(16)) } == [
                "water.2028-02-28", "water.2028-02-29", "water.2028-03-01",
            ])
        let wrong = habit(["ends": .text("2027-02-29")])
        #expect(try scheduler.faults(["habits": [wrong]], now: "2027-02-25T00:00:00Z") == ["habits 1 ends"])
    }

    @Test("what is paused, has ended or is over wants nothing; one that starts later is waited for")
    func rest() throws {
        let now = "2026-06-15T08:00:00Z"
        #expect(try lines(habit(["paused": .truth(true)]), now: now) == [])
        #expect(try lines(habit(["ends": .text("2026-06-14")]), now: now) == [])
        #expect(try lines(habit(["starts": .text("2026-06-20"), "ends": .text("2026-06-18")]), now: now) == [])
        #expect(
            try lines(habit(["ends": .text("2026-06-15")]), now: now) == [
                "water.2026-06-15.1260 2026-06-15T19:00:00Z", "water.2026-06-15.450 2026-06-15T05:30:00Z",
            ])
        let later = try scheduler.answer(["habits": [habit(["starts": .text("2026-09-01")])]], now: now)
        #expect(later.notifications == [] && later.nextChange == .at("2026-08-26T05:30:00Z"))
        let over = try scheduler.answer(["habits": [habit(["ends": .text("2026-06-14")])]], now: now)
        #expect(over.nextChange == nil)
    }

    @Test("no rows want nothing, and nothing changes")
    func empty() throws {
        #expect(try scheduler.answer([:], now: "2026-06-15T08:00:00Z") == WantedNotifications())
    }

    @Test("rows that share an identifier come together: the same day and time once, in any order of the rows")
    func sharing() throws {
        let rows = [
            habit(["times": .text("08:00"), "weekdays": .text("wed")]),
            habit(["times": .text("08:00,09:00"), "weekdays": .text("wed,thu"), "title": .text("A")]),
        ]
        let now = "2026-06-16T08:00:00Z"
        let expected = [
            "water.2026-06-17.480 2026-06-17T06:00:00Z", "water.2026-06-17.540 2026-06-17T07:00:00Z",
            "water.2026-06-18.480 2026-06-18T06:00:00Z", "water.2026-06-18.540 2026-06-18T07:00:00Z",
        ]
        #expect(try lines(rows[0], rows[1], now: now) == expected)
        #expect(try lines(rows[1], rows[0], now: now) == expected)
        let elsewhere = habit(["timeZone": .text("UTC"), "title": .text("Z")])
        #expect(try scheduler.faults(["habits": [elsewhere, habit()]], now: now) == ["habits 1 habit"])
    }

    @Test("each time is wanted once on the way through a year, from seven days before")
    func year() throws {
        let facts = Facts.of(scheduler, ["habits": [habit(["times": .text("02:30,08:00"), "weekdays": .null])]])
        let zones = try Facts.zones.get()
        var now = Instant.at("2026-01-01T00:00:00Z")
        var answer = scheduler.wanted(facts, now: now, zones: zones)
        var known = Set(answer.notifications.map(\.id))
        while let next = answer.nextChange, next < .at("2027-01-01T00:00:00Z") {
            now = next
            answer = scheduler.wanted(facts, now: now, zones: zones)
            let new = answer.notifications.filter { known.insert($0.id).inserted }
            #expect(new.map(\.date) == [.at(now.advanced(by: 7 * Instant.dayMilliseconds))], "\(now.rfc3339)")
        }
        // Two a day from 1 January on; the last two are those of 7 January: UTC+1 is an hour ahead.
        #expect(known.count == 2 * (365 + 7))
    }
}
