import OnboardingScheduler
import RationModel
import RationPluginKit
import Testing

@Suite("Onboarding: some days after a sign-up, until the step is done")
struct OnboardingTests {
    typealias Row = [String: FactValue]

    private let scheduler: OnboardingScheduler

    init() throws {
        scheduler = try OnboardingScheduler(settings: [])
    }

    private func lines(_ user: Row, done steps: [Row] = [], now: String) throws -> [String] {
        try scheduler.lines(["users": [user], "steps": steps], now: now).map {
            $0.replacing("com.myapp.", with: "")
        }
    }

    static let user: Row = ["signedUpAt": .at("2026-06-15T22:30:00Z"), "timeZone": .text("Europe/Madrid")]

    @Test("on the first, third and seventh day after the sign-up's day in the user's zone, at ten")
    func days() throws {
        // In Madrid it was 00:30 on the sixteenth.
        let expected = [
            "day1Reminder 2026-06-17T08:00:00Z", "day3Reminder 2026-06-19T08:00:00Z",
            "day7Reminder 2026-06-23T08:00:00Z",
        ]
        #expect(try lines(Self.user, now: "2026-06-15T22:30:00Z") == expected)
        var elsewhere = Self.user
        elsewhere["timeZone"] = .null
        #expect(try lines(elsewhere, now: "2026-06-15T22:30:00Z").first == "day1Reminder 2026-06-16T10:00:00Z")
        let answer = try scheduler.answer(["users": [Self.user]], now: "2026-06-15T22:30:00Z")
        #expect(answer.nextChange == nil)
        let first = try #require(answer.sorted.first)
        #expect(first.type == "day1" && first.expires == .at("2026-06-17T20:00:00Z"))
        #expect(first.content.title == "Welcome" && first.content.userInfo == ["step": "day1"])
    }

    @Test(
        "a step that is done wants no message; one that is named and not done, or that no message is about, changes nothing"
    )
    func done() throws {
        let now = "2026-06-15T22:30:00Z"
        let steps: [Row] = [
            ["step": .text("day3"), "doneAt": .at("2026-06-15T22:40:00Z")], ["step": .text("day7")],
            ["step": .text("profile"), "doneAt": .at("2026-06-15T22:40:00Z")],
        ]
        #expect(
            try lines(Self.user, done: steps, now: now) == [
                "day1Reminder 2026-06-17T08:00:00Z", "day7Reminder 2026-06-23T08:00:00Z",
            ])
    }

    @Test(
        "a message is worth showing for twelve hours: just before, at, just after",
        arguments: [("19:59:59.999Z", 3), ("20:00:00.000Z", 2), ("20:00:00.001Z", 2)])
    func expiry(time: String, count: Int) throws {
        #expect(try lines(Self.user, now: "2026-06-17T\(time)").count == count)
    }

    @Test("whoever has signed up long ago gets nothing; a sign-up ahead is waited for")
    func farAway() throws {
        #expect(try lines(Self.user, now: "2027-06-15T22:30:00Z") == [])
        #expect(try lines(Self.user, now: "2026-06-14T22:30:00Z").count == 3)
        let answer = try scheduler.answer(["users": [Self.user]], now: "2022-06-15T22:30:00Z")
        #expect(answer.notifications == [] && answer.nextChange == .at("2025-05-13T08:00:00Z"))
    }

    @Test(
        "clocks that change in between do not move the hour; 29 February counts as a day",
        arguments: [
            ("Europe/Madrid", "2026-03-27T12:00:00Z", "2026-03-28T09:00:00Z", "2026-03-30T08:00:00Z"),
            ("America/Sao_Paulo", "2018-11-03T12:00:00Z", "2018-11-04T12:00:00Z", "2018-11-06T12:00:00Z"),
            ("Australia/Lord_Howe", "2026-04-04T00:00:00Z", "2026-04-04T23:30:00Z", "2026-04-06T23:30:00Z"),
            ("UTC", "2028-02-28T12:00:00Z", "2028-02-29T10:00:00Z", "2028-03-02T10:00:00Z"),
        ])
    func clocks(zone: String, signUp: String, first: String, third: String) throws {
        let lines = try lines(["signedUpAt": .at(signUp), "timeZone": .text(zone)], now: signUp)
        #expect(Array(lines.prefix(2)) == ["day1Reminder \(first)", "day3Reminder \(third)"])
    }

    @Test("of several rows the earliest sign-up counts, unless it cannot be used; no row wants nothing")
    func rows() throws {
        let now = "2026-06-15T22:30:00Z"
        let later: Row = ["signedUpAt": .at("2026-06-20T08:00:00Z"), "timeZone": .text("UTC")]
        let answer = try scheduler.answer(["users": [later, Self.user]], now: now)
        #expect(answer.faults.map(\.row) == [1])
        #expect(answer.sorted.first?.date == .at(.at("2026-06-17T08:00:00Z")))
        let faulty: Row = ["signedUpAt": .at("2026-06-14T08:00:00Z"), "timeZone": .text("Europe/Atlantis")]
        let other = try scheduler.answer(["users": [later, faulty]], now: now)
        #expect(other.faults.map { "\($0.row) \($0.column)" } == ["2 timeZone"])
        #expect(other.sorted.first?.date == .at(.at("2026-06-21T10:00:00Z")))
        #expect(try scheduler.answer([:], now: now) == WantedNotifications())
        #expect(
            try scheduler.faults(["users": [["signedUpAt": .instant(.distantPast)]]], now: now) == [
                "users 1 signedUpAt"
            ])
    }

    @Test("messages of a configuration have names, steps, types and texts of their own")
    func settings() throws {
        let steps = SettingValue.mapping([
            Setting("tour", .mapping([Setting("day", .text("2d")), Setting("title", .text("{name}, day {day}"))])),
            Setting(
                "profile",
                .mapping([
                    Setting("day", .text("0d")), Setting("step", .text("profileFilled")),
                    Setting("type", .text("hint")),
                    Setting("interruptionLevel", .text("passive")),
                ])),
        ])
        let scheduler = try OnboardingScheduler(settings: [
            Setting("steps", steps), Setting("title", .text("Hello {name}")), Setting("hour", .text("18:30")),
            Setting("prefix", .text("x.{step}")), Setting("sound", .text("default")),
        ])
        #expect(scheduler.prefixes == ["x.tour", "x.profile"] && scheduler.types == ["day1", "hint"])
        let user = Self.user.merging(["name": .text("Ana")]) { $1 }
        let answer = try scheduler.answer(["users": [user]], now: "2026-06-15T22:30:00Z")
        #expect(answer.sorted.map(\.content.title) == ["Hello Ana", "Ana, day 2"])
        #expect(answer.sorted.map(\.content.interruptionLevel) == [.passive, .active])
        #expect(answer.sorted.map(\.content.sound) == ["default", "default"])
        #expect(answer.sorted.map(\.date.text) == ["2026-06-16T16:30:00Z", "2026-06-18T16:30:00Z"])
        let done: Row = ["step": .text("profileFilled"), "doneAt": .at("2026-06-15T22:30:00Z")]
        #expect(
            try scheduler.lines(["users": [user], "steps": [done]], now: "2026-06-15T22:30:00Z") == [
                "x.tour 2026-06-18T16:30:00Z"
            ])
    }

    @Test("a name that makes the message too large is a fault of its row")
    func tooLarge() throws {
        let scheduler = try OnboardingScheduler(settings: [Setting("title", .text("{name}"))])
        let user = Self.user.merging(["name": .text(String(repeating: "x", count: 4_096))]) { $1 }
        #expect(try scheduler.faults(["users": [user]], now: "2026-06-15T22:30:00Z") == ["users 1 name"])
        let nameless = Self.user.merging(["name": .text("")]) { $1 }
        #expect(try scheduler.faults(["users": [nameless]], now: "2026-06-15T22:30:00Z") == ["users 1 name"])
    }
}
