import DepletionScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("Depletion: a warning some days before a supply runs out")
struct DepletionTests {
    typealias Row = [String: FactValue]

    private let scheduler: DepletionScheduler
    private static let now = "2026-06-15T12:00:00Z"

    init() throws {
        scheduler = try DepletionScheduler(settings: [])
    }

    /// Ten days from noon of the fifteenth.
    static let supply: Row = [
        "supply": .text("lenses"), "name": .text("contact lenses"), "quantity": .number(20), "usePerDay": .number(2),
        "measuredAt": .at("2026-06-15T12:00:00Z"), "timeZone": .text("Europe/Madrid"),
    ]

    private func answer(_ change: Row = [:], now: String = now) throws -> WantedNotifications {
        try scheduler.answer(["supplies": [Self.supply.merging(change) { $1 }]], now: now)
    }

    private func dates(_ change: Row = [:], now: String = now) throws -> [String] {
        try answer(change, now: now).notifications.map(\.date.text)
    }

    @Test("three calendar days before, at nine in the user's zone, until it has run out")
    func warning() throws {
        let warning = try #require(try answer().notifications.first)
        #expect(warning.id == "com.myapp.depletionReminder.lenses" && warning.type == "depletion")
        #expect(warning.date.text == "2026-06-22T07:00:00Z" && warning.expires == .at("2026-06-25T12:00:00Z"))
        #expect(warning.overdue == .deliver && warning.marginMilliseconds == Instant.dayMilliseconds)
        #expect(warning.content.title == "Running out" && warning.content.body == "contact lenses will soon run out")
        #expect(warning.content.userInfo == ["supply": "lenses"])
    }

    @Test("a warning whose date has passed stays, with the same date, until the supply has run out")
    func passed() throws {
        #expect(try dates(now: "2026-06-25T11:59:59.999Z") == ["2026-06-22T07:00:00Z"])
        #expect(try dates(now: "2026-06-25T12:00:00Z") == [])
        #expect(try dates(["quantity": .number(1)]) == ["2026-06-13T07:00:00Z"])
    }

    @Test(
        "a new estimate moves the date and nothing else, so that a margin can hold it; a refill moves it beyond the horizon"
    )
    func moved() throws {
        let (before, after) = (
            try #require(try answer().notifications.first),
            try #require(try answer(["usePerDay": .number(1.5)]).notifications.first)
        )
        #expect(after.date.text == "2026-06-25T07:00:00Z")
        #expect(after.content == before.content && after.id == before.id)
        let refilled = try answer(["quantity": .number(200)])
        #expect(refilled.notifications == [] && refilled.nextChange == .at("2026-08-21T07:00:00Z"))
    }

    @Test("it runs out before the hour of its last day: then the warning comes the day before")
    func sameDay() throws {
        let scheduler = try DepletionScheduler(settings: [
            Setting("lead", .text("0d")), Setting("timeZone", .text("UTC")), Setting("hour", .text("18:00")),
        ])
        let row = Self.supply.merging(["timeZone": .null]) { $1 }
        #expect(
            try scheduler.lines(["supplies": [row]], now: Self.now) == [
                "com.myapp.depletionReminder.lenses 2026-06-24T18:00:00Z"
            ])
    }

    @Test(
        "what is absurd is told, or wants nothing, and never traps",
        arguments: [
            (["quantity": FactValue.number(0)], nil, 0), (["quantity": .number(-1)], "quantity", 0),
            (["quantity": .number(.nan)], "quantity", 0), (["quantity": .number(.infinity)], "quantity", 0),
            (["quantity": .number(1e308), "usePerDay": .number(1e-300)], nil, 0),
            (["quantity": .number(1e308), "usePerDay": .number(1e307)], nil, 1),
            (["quantity": .number(.leastNonzeroMagnitude)], nil, 0),
            (["usePerDay": .number(0)], nil, 0), (["usePerDay": .number(-0.0)], nil, 0),
            (["usePerDay": .number(-2)], "usePerDay", 0), (["usePerDay": .number(.nan)], "usePerDay", 0),
            (["usePerDay": .number(.infinity)], "usePerDay", 0), (["usePerDay": .number(1e308)], nil, 0),
            (["usePerDay": .number(.leastNonzeroMagnitude)], nil, 0), (["usePerDay": .null], nil, 0),
            (["measuredAt": .at("2026-06-15T12:00:00.001Z")], "measuredAt", 0),
            (["measuredAt": .at("2025-06-15T12:00:00Z")], nil, 0),
            (["measuredAt": .instant(.distantPast)], "measuredAt", 0),
            (["measuredAt": .instant(.distantFuture)], "measuredAt", 0),
            (["measuredAt": .null], "measuredAt", 0), (["quantity": .null], "quantity", 0),
            (["quantity": .null, "measuredAt": .null], nil, 0),
            (["timeZone": .text("Europe/Atlantis")], "timeZone", 0), (["supply": .text("")], "supply", 0),
            (["supply": .text("a ")], "supply", 0), (["name": .text(String(repeating: "x", count: 4_096))], "name", 0),
        ] as [(Row, String?, Int)])
    func absurd(change: Row, column: String?, count: Int) throws {
        let answer = try answer(change)
        #expect(answer.faults.map(\.column) == (column.map { [$0] } ?? []), "\(answer.faults)")
        #expect(answer.notifications.count == count)
    }

    @Test("a measurement ahead is waited for")
    func ahead() throws {
        let answer = try answer(["measuredAt": .at("2026-06-16T12:00:00Z")])
        #expect(answer.nextChange == .at("2026-06-16T12:00:00Z"))
        #expect(try dates(["measuredAt": .at("2026-06-16T12:00:00Z")], now: "2026-06-16T12:00:00Z").count == 1)
    }

    @Test("of several rows of a supply one counts; supplies have warnings of their own")
    func rows() throws {
        let other = Self.supply.merging(["supply": .text("cat")]) { $1 }
        let twice = Self.supply.merging(["name": .text("a")]) { $1 }
        let answer = try scheduler.answer(["supplies": [Self.supply, other, twice]], now: Self.now)
        #expect(answer.sorted.map(\.content.body).map { $0.prefix(7) } == ["contact", "a will "])
        #expect(answer.faults.map(\.row) == [1])
    }

    @Test(
        "clocks that change before the warning do not move its hour",
        arguments: [
            ("Europe/Madrid", "2026-03-25T12:00:00Z", "2026-04-01T07:00:00Z"),
            ("America/Sao_Paulo", "2018-11-01T12:00:00Z", "2018-11-08T11:00:00Z"),
            ("Australia/Lord_Howe", "2026-04-01T12:00:00Z", "2026-04-07T22:30:00Z"),
        ])
    func clocks(zone: String, measuredAt: String, expected: String) throws {
        #expect(try dates(["timeZone": .text(zone), "measuredAt": .at(measuredAt)], now: measuredAt) == [expected])
    }
}
