import Foundation
import RationModel
import Testing

@testable import RationDemo

@Suite("The people of the made-up day")
struct PeopleTests {
    @Test(
        "A wall time is found by the tz database, also where the clock is changed",
        arguments: [
            ("Asia/Kolkata", "2026-06-01", 8 * 60, "2026-06-01T02:30:00.000Z"),
            ("Asia/Kathmandu", "2026-06-01", 8 * 60, "2026-06-01T02:15:00.000Z"),
            ("Europe/Madrid", "2026-03-28", 8 * 60, "2026-03-28T07:00:00.000Z"),
            ("Europe/Madrid", "2026-03-29", 8 * 60, "2026-03-29T06:00:00.000Z"),
            ("America/St_Johns", "2026-12-01", 8 * 60, "2026-12-01T11:30:00.000Z"),
            // Inside a gap, and the first of two.
            ("America/New_York", "2026-03-08", 150, "2026-03-08T07:30:00.000Z"),
            ("America/New_York", "2026-11-01", 90, "2026-11-01T05:30:00.000Z"),
            ("Australia/Lord_Howe", "2026-10-04", 135, "2026-10-03T15:45:00.000Z"),
            ("Australia/Lord_Howe", "2026-04-05", 105, "2026-04-04T14:45:00.000Z"),
        ])
    func findsWallTimes(zone: String, date: String, minute: Int, expected: String) throws {
        let day = try #require(Instant(rfc3339: "\(date)T00:00:00Z")).milliseconds / 86_400_000
        let clock = try ZoneClock(zone: zone, in: tzDatabase())
        let instant = clock.instant(day: Int(day), minute: minute)
        #expect(instant.rfc3339 == expected)
        #expect(clock.day(at: instant) == Int(day))
    }

    @Test("A zone that the tz database lacks is named")
    func namesTheZone() {
        let error = #expect(throws: DemoError.self) { try ZoneClock(zone: "Europe/Atlantis", in: tzDatabase()) }
        #expect(error?.description.contains("Europe/Atlantis") == true)
    }

    @Test("People live in a dozen zones and more, with daylight saving time and without, at half hours too")
    func liveInManyZones() throws {
        let people = try people(2_000, seed: 1)
        let zones = Set(people.map(\.clock.zone))
        #expect(zones.count >= 12)
        let offsets = try zones.map { zone in
            let timeZone = try #require(TimeZone(identifier: zone))
            return [1_767_225_600.0, 1_782_864_000].map {
                timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: $0))
            }
        }
        #expect(offsets.contains { $0[0] != $0[1] } && offsets.contains { $0[0] == $0[1] })
        #expect(offsets.contains { $0[0] % 3_600 != 0 })
    }

    @Test("Habits are kept in the morning, at noon and in the evening, and hardly at night")
    func keepHours() throws {
        let hours = try people(2_000, seed: 1).flatMap(\.habits).flatMap(\.minutes).map { $0 / 60 }
        func share(_ range: ClosedRange<Int>) -> Double {
            Double(hours.count { range.contains($0) }) / Double(hours.count)
        }
        #expect(share(6...9) > 0.3)
        #expect(share(12...13) > 0.15)
        #expect(share(19...22) > 0.25)
        #expect(share(0...5) < 0.01 && share(23...23) < 0.05)
    }

    @Test("A habit's reminders are those of the coming week on its weekdays, each at its hour on the phone's wall")
    func planAWeek() throws {
        var dice = Dice(seed: 3)
        var person = Person(index: 0, clocks: try Places.clocks(in: tzDatabase()), &dice)
        person.clock = try ZoneClock(zone: "Australia/Lord_Howe", in: tzDatabase())
        var habit = Habit(key: 9, isFrequent: true, &dice)
        habit.minutes = [8 * 60, 20 * 60 + 30]
        habit.weekdays = [false, true, true, true, true, true, false]
        person.habits = [habit]
        // Friday 2026-10-02, 09:00 there; the clock is put forward by half an hour on Sunday.
        let now = try #require(Instant(rfc3339: "2026-10-01T22:30:00Z"))
        let dates = person.reminders(of: habit, from: now).map { wish -> String in
            guard case .at(let instant) = wish.trigger else { return "" }
            return String(instant.rfc3339.prefix(16))
        }
        #expect(
            dates == [
                "2026-10-02T10:00", "2026-10-04T21:00", "2026-10-05T09:30", "2026-10-05T21:00", "2026-10-06T09:30",
                "2026-10-06T21:00", "2026-10-07T09:30", "2026-10-07T21:00", "2026-10-08T09:30",
            ])
    }

    private func people(_ count: Int, seed: UInt64) throws -> [Person] {
        let clocks = try Places.clocks(in: tzDatabase())
        return (0..<count).map { index in
            var dice = Dice(seed: seed, stream: UInt64(index))
            return Person(index: index, clocks: clocks, &dice)
        }
    }
}
