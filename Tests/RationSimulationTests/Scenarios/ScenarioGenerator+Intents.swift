import RationModel

extension ScenarioGenerator {
    mutating func intent() -> Value {
        switch random.number(0...99) {
        case 0..<50: schedule()
        case 50..<72: again()
        case 72..<84: cancel()
        case 84..<90: device()
        case 90..<92: addressed("remove")
        case 92..<94: feedback()
        default: broken()
        }
    }

    private mutating func addressed(_ operation: Value) -> Value {
        ["op": operation, "app": random.pick(apps), "device": random.pick(devices)]
    }

    mutating func schedule() -> Value {
        var intent = addressed("schedule")
        intent["id"] = random.pick(ids)
        if random.chance(30) { intent["type"] = random.pick(["habit", "nudge", "visit", "unknown", "other"]) }
        intent["content"] = content()
        intent["trigger"] = trigger()
        if random.chance(25) { intent["expires"] = date() }
        if random.chance(25) { intent["overdue"] = random.pick(["deliver", "deliver", "drop"]) }
        remember(intent)
        return intent
    }

    private mutating func remember(_ intent: Value) {
        sent.append(intent)
        let expires = intent["expires"]?.date
        guard let trigger = intent["trigger"]?.members?.first else { return }
        switch trigger.key {
        case "at":
            guard let date = trigger.value.date else { return }
            note(date: max(date, now), expires: expires)
        default:
            guard let seconds = trigger.value.number, seconds > 0, seconds < 1e6 else { return }
            let interval = Int64(seconds * 1000)
            for multiple in 1...(trigger.key == "every" ? Int64(3) : 1) {
                note(date: now + interval * multiple, expires: expires)
            }
        }
    }

    private mutating func content() -> Value {
        var content: Value = ["title": random.pick(["t", "u"])]
        if random.chance(10) { content["userInfo"] = ["a": 1, "b": ["c": "d", "e": 2]] }
        if random.chance(10) { content["interruptionLevel"] = random.pick(["critical", "active"]) }
        return content
    }

    /// On a grid of minutes around now, so that dates collide; sometimes where something else happens.
    private mutating func date() -> Value {
        let minutes = random.number(-3...8)
        var date = (now / Self.minute + minutes) * Self.minute
        if random.chance(15) { date = now + random.pick([-grace - 1, -grace, -1, 0, 1]) }
        if random.chance(10), let landmark = landmarks.sorted().last { date = landmark }
        return random.chance(70) ? .string(Text(Instant(milliseconds: date).rfc3339)) : .integer(date)
    }

    private mutating func trigger() -> Value {
        switch random.number(0...99) {
        case 0..<62: ["at": date()]
        case 62..<80: ["after": random.pick([1, 60, 120, 300, .number(0.25), .number(0.0005), .number(0.0004)])]
        case 80..<96: ["every": random.pick([60, 60, 120, 300, .number(60.5), .number(90.001)])]
        default: unfitTrigger()
        }
    }

    private mutating func unfitTrigger() -> Value {
        let horizon = now + 3653 * 86_400_000
        return random.pick([
            [:], ["after": 0], ["after": -1], ["every": .number(59.999)], ["every": 0], ["every": -60],
            ["after": .number(1e300)], ["after": 315_619_200], ["after": .number(315_619_200.001)],
            ["every": 315_619_201], ["at": .integer(horizon)], ["at": .integer(horizon + 1)],
            ["at": .integer(now - grace)], ["at": .integer(now - grace - 1)], ["calendar": ["hour": 9]],
        ])
    }

    /// An earlier intent: the same, the same in other words, or with one thing changed.
    private mutating func again() -> Value {
        guard !sent.isEmpty else { return schedule() }
        var intent =
            random.chance(60)
            ? sent[sent.count - 1 - Int(random.number(0...Int64(min(sent.count, 4) - 1)))]
            : random.pick(sent)
        switch random.number(0...99) {
        case 0..<30: break
        case 30..<45: intent = reworded(intent)
        case 45..<65: intent["content"] = content()
        case 65..<75: intent["expires"] = random.chance(30) ? nil : date()
        case 75..<85: intent["overdue"] = random.pick(["deliver", "drop"])
        case 85..<90: intent["type"] = random.pick(["habit", "nudge", "other"])
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
        default: intent["type"] = random.pick(["habit", "nudge", "unknown", "other"])
        }
        return intent
    }

    private mutating func device() -> Value {
        var intent = addressed("device")
        if random.chance(60) { intent["reserved"] = .integer(random.number(0...5)) }
        if random.chance(20) { intent["timeZone"] = random.pick(["UTC", "America/Sao_Paulo"]) }
        if random.chance(20) { intent["token"] = random.pick(["t", ""]) }
        if random.chance(20) { intent["delivery"] = random.pick(["push", "local"]) }
        if random.chance(20) { intent["categories"] = ["reminder"] }
        return intent
    }

    private mutating func feedback() -> Value {
        var intent = addressed("feedback")
        intent["id"] = random.pick(ids)
        intent["outcome"] = random.pick(["delivered", "opened", "dismissed", "failed"])
        return intent
    }
}
