@testable import PlannerModel

extension ScenarioGenerator {
    /// A calendar trigger that mostly matches soon, or at what the clocks would show there if they did not change.
    mutating func calendarTrigger() -> Value {
        let name: Text? = random.chance(60) ? nil : world.zoneName(&random)
        let zone = name.flatMap(ModelZone.named) ?? world.zone
        let date = max(instant(), now)
        let wall = random.chance(30) ? date + zone.span(at: now).offset : zone.wall(at: date)
        var trigger: Value = ["calendar": calendar(wall: wall)]
        if random.chance(60) { trigger["repeats"] = .bool(random.chance(85)) }
        if let name { trigger["timeZone"] = .string(name) }
        return trigger
    }

    /// Components of a wall time.
    private mutating func calendar(wall: Int64) -> Value {
        let number = wall.divided(by: ModelZone.day)
        let date = ModelDay(number: number)
        let second = (wall - number * ModelZone.day) / 1000
        let time: [Text: Int64] = ["hour": second / 3600, "minute": second / 60 % 60, "second": second % 60]
        let all = time.merging(
            ["year": date.year, "month": date.month, "day": date.day, "weekday": date.weekday]) { $1 }
        let names: [[Text]] = [
            ["hour", "minute"], ["hour", "minute"], ["hour", "minute"], ["hour", "minute"], ["hour"], ["minute"],
            ["second"], ["minute", "second"], ["hour", "minute", "second"], ["weekday", "hour", "minute"],
            ["weekday", "hour"], ["day", "hour", "minute"], ["month", "day", "hour", "minute"],
            ["year", "month", "day", "hour", "minute"], ["year", "month", "day", "hour", "minute"],
            ["year", "month", "day", "hour", "minute", "second"], ["weekday"], ["day"], ["month"], ["month", "hour"],
            ["year", "hour", "minute"], ["year", "weekday"], ["day", "weekday", "hour"], ["month", "weekday"],
        ]
        return .object(random.pick(names).map { .init(key: $0, value: .integer(all[$0] ?? 0)) })
    }

    /// One that never matches, or breaks a rule.
    mutating func unfitCalendar() -> Value {
        let calendar: Value = random.pick([
            ["year": 2025], ["month": 2, "day": 30], ["month": 4, "day": 31, "hour": 9], ["year": 2040, "month": 1],
            ["month": 2, "day": 29], ["day": 31, "hour": 9], ["day": 13, "weekday": 6], [:], ["hour": .null],
            ["hour": 24], ["minute": 60], ["second": -1], ["weekday": 0], ["weekday": 8], ["day": 32], ["month": 13],
            ["hour": .number(8.5)], ["hour": "8"], ["hour": 8, "second": 5], ["weekday": 2, "minute": 5],
            ["month": 1, "second": 5], ["hour": 24, "second": 5], ["fortnight": 1], 5,
        ])
        var trigger: Value = ["calendar": calendar]
        if random.chance(50) { trigger["repeats"] = random.pick([true, true, false, 1]) }
        if random.chance(40) { trigger["timeZone"] = random.pick(["UTC", "Mars/Olympus", "europe/madrid", 7]) }
        if random.chance(5) { trigger["at"] = date() }
        return trigger
    }
}
