@testable import PlannerModel
import RationModel
import TestSupport

extension ScenarioGenerator {
    mutating func intent() -> Value {
        switch random.number(0...99) {
        case 0..<52: schedule()
        case 52..<69: again()
        case 69..<77: cancel()
        case 77..<90: device()
        case 90..<91: addressed("remove")
        case 91..<92: feedback()
        default: broken()
        }
    }

    mutating func addressed(_ operation: Value) -> Value {
        ["op": operation, "app": random.pick(apps), "device": random.pick(devices)]
    }

    mutating func schedule() -> Value {
        var intent = addressed("schedule")
        intent["id"] = random.pick(ids)
        if random.chance(45) { intent["type"] = .string(random.pick(PolicyGenerator.types)) }
        intent["content"] = content()
        intent["trigger"] = trigger()
        if random.chance(22) { intent["expires"] = expires(after: intent["trigger"]) }
        if random.chance(22) { intent["overdue"] = random.pick(["deliver", "deliver", "drop"]) }
        remember(intent)
        return intent
    }

    mutating func remember(_ intent: Value) {
        sent.append(intent)
        let expires = intent["expires"]?.date
        guard let trigger = intent["trigger"]?.members?.first else { return }
        switch trigger.key {
        case "at":
            guard let date = trigger.value.date else { return }
            note(date: max(date, now), expires: expires)
        case "calendar": remember(calendar: ModelCalendar(intent["trigger"] ?? [:]), expires: expires)
        default:
            guard let seconds = trigger.value.number, seconds > 0, seconds < 1e6 else { return }
            let interval = Int64(seconds * 1000)
            let isRepeating = trigger.key == "every"
            if isRepeating && seconds < 1200 { repeatsFast = true }
            for multiple in 1...(isRepeating ? Int64(3) : 1) { note(date: now + interval * multiple, expires: expires) }
        }
    }

    private mutating func remember(calendar: ModelCalendar, expires: Int64?) {
        guard calendar.fault == nil else { return }
        if calendar.repeats && calendar.hour == nil && !calendar.namesDate { repeatsFast = true }
        let zone = calendar.zone.flatMap(ModelZone.named) ?? world.zone
        guard let next = calendar.next(after: now, in: zone, until: now + 400 * ModelZone.day) else { return }
        note(date: next, expires: expires)
    }

    mutating func content() -> Value {
        var content: Value = ["title": random.pick(["t", "u"])]
        if random.chance(10) { content["userInfo"] = ["a": 1, "b": ["c": "d", "e": 2]] }
        if random.chance(35) { content["interruptionLevel"] = random.pick(PolicyGenerator.levels) }
        return content
    }

    /// On a grid around now, so that dates collide; sometimes where something else happens.
    mutating func date() -> Value {
        let date = instant()
        return random.chance(70) ? .string(Text(Instant(milliseconds: date).rfc3339)) : .integer(date)
    }

    /// Mostly soon after the requested date.
    private mutating func expires(after trigger: Value?) -> Value {
        if random.chance(10) { return date() }
        let seconds = trigger?["after"]?.number ?? trigger?["every"]?.number ?? 0
        let requested = max(trigger?["at"]?.date ?? now, now) + (abs(seconds) < 1e6 ? Int64(seconds * 1000) : 0)
        return .integer(requested + random.pick([0, 1, 1, 2, 2, 3, 5, 8, 8]) * world.unit + random.pick([0, 0, 0, 1]))
    }

    mutating func instant() -> Int64 {
        if random.chance(12) { return now + random.pick([-grace - 1, -grace, -1, 0, 1]) }
        if random.chance(15), let landmark = landmarks.filter({ $0 > now }).sorted().prefix(6).last {
            return landmark + random.pick([-1, 0, 0, 1])
        }
        return (now / world.unit + random.number(-3...8)) * world.unit
    }

    private mutating func trigger() -> Value {
        switch random.number(0...99) {
        case 0..<44: ["at": date()]
        case 44..<55:
            ["after": .number(random.pick(world.isFast ? [1, 60, 300, 0.25, 0.0005, 0.0004] : [1200, 3600, 10_800]))]
        case 55..<66:
            ["every": .number(random.pick(world.isFast ? [60, 60, 120, 300, 60.5] : [1800, 3600, 10_800, 5400.5]))]
        case 66..<95: calendarTrigger()
        default: unfitTrigger()
        }
    }

    private mutating func unfitTrigger() -> Value {
        let horizon = now + 3653 * 86_400_000
        if random.chance(50) { return unfitCalendar() }
        return random.pick([
            [:], ["after": 0], ["after": -1], ["every": .number(59.999)], ["every": 0], ["every": -60],
            ["after": .number(1e300)], ["after": 315_619_200], ["after": .number(315_619_200.001)],
            ["every": 315_619_201], ["at": .integer(horizon)], ["at": .integer(horizon + 1)],
            ["at": .integer(now - grace)], ["at": .integer(now - grace - 1)],
        ])
    }

    /// An earlier intent: the same, the same in other words, or with one thing changed.
    private mutating func again() -> Value {
        guard !sent.isEmpty else { return schedule() }
        var intent =
            if random.chance(60) {
                sent[sent.count - 1 - Int(random.number(0...Int64(min(sent.count, 4) - 1)))]
            } else {
                random.pick(sent)
            }
        switch random.number(0...99) {
        case 0..<30: break
        case 30..<45: intent = reworded(intent)
        case 45..<65: intent["content"] = content()
        case 65..<75: intent["expires"] = random.chance(30) ? nil : expires(after: intent["trigger"])
        case 75..<85: intent["overdue"] = random.pick(["deliver", "drop"])
        case 85..<90: intent["type"] = .string(random.pick(PolicyGenerator.types))
        default: intent["trigger"] = trigger()
        }
        remember(intent)
        return intent
    }

    private func reworded(_ intent: Value) -> Value {
        var reworded = intent
        if let date = intent["trigger"]?["at"]?.date {
            reworded["trigger"] = ["at": .integer(date), "after": .null]
        }
        if let calendar = intent["trigger"]?["calendar"]?.members, let trigger = intent["trigger"] {
            let absent = Value.Member(key: "year", value: .null)
            let isNamed = calendar.contains { $0.key == "year" }
            reworded["trigger"]?["calendar"] = .object(calendar.reversed() + (isNamed ? [] : [absent]))
            if trigger["repeats"] == nil { reworded["trigger"]?["repeats"] = false }
        }
        if intent["overdue"] == nil { reworded["overdue"] = "drop" }
        var content = intent["content"] ?? [:]
        if content["interruptionLevel"] == nil { content["interruptionLevel"] = "active" }
        reworded["content"] = .object((content.members ?? []).reversed() + [.init(key: "badge", value: .null)])
        return .object((reworded.members ?? []).reversed())
    }

    private mutating func cancel() -> Value {
        var intent = addressed("cancel")
        switch random.number(0...9) {
        case 0..<6: intent["id"] = random.pick(ids)
        case 6..<8: intent["prefix"] = random.pick(["h", "h.", "h.x", "e", "zz"])
        default: intent["type"] = .string(random.pick(PolicyGenerator.types))
        }
        return intent
    }

    mutating func device() -> Value {
        var intent = addressed("device")
        if random.chance(40) { intent["reserved"] = .integer(random.number(0...5)) }
        if random.chance(60) { intent["timeZone"] = .string(world.zoneName(&random)) }
        if random.chance(30) { intent["quietHours"] = random.chance(30) ? random.pick([[], "policy"]) : windows() }
        if random.chance(10) { intent["token"] = random.pick(["t", ""]) }
        if random.chance(10) { intent["delivery"] = random.pick(["push", "local"]) }
        if random.chance(10) { intent["categories"] = ["reminder"] }
        return intent
    }

    private mutating func windows() -> Value {
        var policies = PolicyGenerator(world: world, around: now, &random)
        return policies.windows()
    }

    private mutating func feedback() -> Value {
        var intent = addressed("feedback")
        intent["id"] = random.pick(ids)
        intent["outcome"] = random.pick(["delivered", "opened", "dismissed", "failed"])
        return intent
    }
}
