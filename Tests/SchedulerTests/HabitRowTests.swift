import HabitScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("Habit: rows")
struct HabitRowTests {
    typealias Row = [String: FactValue]

    private let scheduler: HabitScheduler
    private static let now = "2026-06-15T08:00:00Z"

    init() throws {
        scheduler = try HabitScheduler(settings: [])
    }

    static let habit: Row = ["habit": .text("water"), "title": .text("Water"), "times": .text("07:30")]
    static let entry: Row = ["entry": .text("diary"), "title": .text("Diary")]

    private func lines(_ entry: Row) throws -> [String] {
        let row = Self.entry.merging(entry) { $1 }
        return try scheduler.lines(["entries": [row]], now: Self.now).map {
            $0.replacing("com.myapp.entryReminder.", with: "")
        }
    }

    @Test("an entry comes once at an instant, once on a day, or on weekdays")
    func entries() throws {
        #expect(try lines(["at": .at("2026-06-17T09:15:00Z")]) == ["diary.once 2026-06-17T09:15:00Z"])
        #expect(
            try lines(["date": .text("2026-06-17"), "times": .text("21:00"), "timeZone": .text("Europe/Madrid")]) == [
                "diary.2026-06-17.1260 2026-06-17T19:00:00Z"
            ])
        #expect(
            try lines(["date": .text("2026-06-17"), "times": .text("21:00")]) == [
                "diary.2026-06-17.1260 2026-06-17T21:00:00"
            ])
        #expect(
            try lines(["weekdays": .text("sat"), "times": .text("08:00"), "timeZone": .text("UTC")]) == [
                "diary.2026-06-20.480 2026-06-20T08:00:00Z"
            ])
    }

    @Test("an entry beyond the horizon is waited for; it has a type and a name of its own")
    func later() throws {
        let row = Self.entry.merging(["at": .at("2026-07-01T09:15:00Z")]) { $1 }
        let answer = try scheduler.answer(["entries": [row]], now: Self.now)
        #expect(answer.notifications == [] && answer.nextChange == .at("2026-06-24T09:15:00Z"))
        let then = try scheduler.answer(["entries": [row]], now: "2026-06-24T09:15:00Z")
        #expect(then.notifications.map(\.type) == ["entry"])
        #expect(then.notifications.map(\.content.userInfo) == [["entry": "diary"]])
        #expect(then.nextChange == nil)
    }

    @Test(
        "an entry says its time in one way",
        arguments: [
            (["at": FactValue.at("2026-06-17T09:15:00Z"), "times": .text("08:00")], "times"),
            (["at": .at("2026-06-17T09:15:00Z"), "date": .text("2026-06-17")], "date"),
            (["date": .text("2026-06-17")], "times"),
            (["date": .text("2026-06-17"), "times": .text("08:00"), "weekdays": .text("daily")], "weekdays"),
            (["date": .text("2026-06-17"), "times": .text("08:00"), "ends": .text("2026-06-18")], "ends"),
            ([:], "times"),
        ] as [(Row, String)])
    func oneWay(entry: Row, column: String) throws {
        let row = Self.entry.merging(entry) { $1 }
        #expect(try scheduler.faults(["entries": [row]], now: Self.now) == ["entries 1 \(column)"])
    }

    @Test(
        "a row that cannot be used is told by its column, and the others count",
        arguments: [
            (["habit": FactValue.text("")], "habit"),
            (["habit": .text(" ")], nil),
            (["habit": .text("a\u{7}b")], "habit"),
            (["habit": .text(String(repeating: "x", count: 216))], nil),
            (["habit": .text(String(repeating: "x", count: 217))], "habit"),
            (["title": .text("")], "title"),
            (["title": .text(""), "body": .text("Drink")], nil),
            (["title": .text(String(repeating: "x", count: 4000))], nil),
            (["title": .text(String(repeating: "x", count: 4096))], "title"),
            (["times": .text("")], "times"),
            (["times": .text("24:00")], "times"),
            (["times": .text("7:30")], "times"),
            (["times": .text("07:30;08:00")], "times"),
            (["times": .text("07:30,")], "times"),
            (["times": .text(" 07:30 , 08:00 ")], nil),
            (["times": .text([String](repeating: "07:30", count: 24).joined(separator: ","))], nil),
            (["times": .text([String](repeating: "07:30", count: 25).joined(separator: ","))], "times"),
            (["weekdays": .text("")], "weekdays"),
            (["weekdays": .text("mon,monday")], "weekdays"),
            (["weekdays": .text("Daily")], "weekdays"),
            (["weekdays": .text("mon, tue")], nil),
            (["timeZone": .text("Europe/Atlantis")], "timeZone"),
            (["timeZone": .text("")], "timeZone"),
            (["starts": .text("2026-6-1")], "starts"),
            (["starts": .text("2026-06-01T00:00:00Z")], "starts"),
            (["ends": .text("2026-02-30")], "ends"),
        ] as [(Row, String?)])
    func faults(change: Row, column: String?) throws {
        let rows = [
            Self.habit.merging(change) { $1 }, ["habit": .text("b"), "title": .text("B"), "times": .text("09:00")],
        ]
        let answer = try scheduler.answer(["habits": rows], now: Self.now)
        #expect(answer.faults.map(\.column) == (column.map { [$0] } ?? []), "\(answer.faults)")
        #expect(answer.faults.allSatisfy { $0.row == 1 && $0.message.contains("found") })
        #expect(answer.notifications.contains { $0.id.hasPrefix("com.myapp.habitReminder.b.") })
    }

    @Test("of ten thousand habits the soonest 1,024 reminders are wanted, and a moment later the next ones")
    func many() throws {
        let rows = (0..<10_000).map { number -> Row in
            let (hour, minute) = (number % 24, number / 24 % 60)
            let time = "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)"
            return [
                "habit": .text("h\(number)"), "title": .text("H"), "times": .text(time),
                "timeZone": .text("Europe/Madrid"),
            ]
        }
        let facts = Facts.of(scheduler, ["habits": rows])
        let zones = try Facts.zones.get()
        let now = Instant.at(Self.now)
        let answer = scheduler.wanted(facts, now: now, zones: zones)
        #expect(answer.notifications.count == 1_024 && answer.faults.count == 1)
        let next = try #require(answer.nextChange)
        let before = scheduler.wanted(facts, now: next.advanced(by: -1), zones: zones)
        #expect(before.sorted == answer.sorted)
        let after = scheduler.wanted(facts, now: next, zones: zones)
        #expect(after.notifications.count == 1_024 && after.sorted != answer.sorted)
        let latest = answer.notifications.map { RecipientClock.instants(of: $0.date).lowerBound }.max()
        #expect(try #require(latest) < now.advanced(by: 86_400_000))
    }
}
