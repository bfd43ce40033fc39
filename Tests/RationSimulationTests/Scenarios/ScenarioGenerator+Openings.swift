@testable import PlannerModel

/// First steps that lead to what random steps seldom reach.
extension ScenarioGenerator {
    mutating func opening() -> [Step] {
        switch random.number(0...99) {
        case 0..<10: traveller()
        case 10..<20: untilQuiet()
        case 20..<30: heldUp()
        default: []
        }
    }

    /// Something floats, and its recipient comes to a zone where its time has just passed or the day is another.
    private mutating func traveller() -> [Step] {
        let recipient = addressed("device")
        let date = now + random.number(60...300) * World.minute
        let number = world.zone.wall(at: date).divided(by: ModelZone.day)
        let minute = world.zone.wall(at: date).divided(by: World.minute) - number * 1440
        var calendar: Value = ["hour": .integer(minute / 60), "minute": .integer(minute % 60)]
        if random.chance(40) {
            let day = ModelDay(number: number)
            calendar["year"] = .integer(day.year)
            calendar["month"] = .integer(day.month)
            calendar["day"] = .integer(day.day)
        }
        let floating = schedule(recipient, ["calendar": calendar, "repeats": .bool(random.chance(50))])
        let first = Step(now: now, intents: [home(recipient), floating, intent()])
        now = date - random.number(0...60) * World.minute
        var away = recipient
        away["timeZone"] = .string(world.zoneName(&random))
        return [first, Step(now: now, intents: [away], isDown: repeatsFast)]
    }

    /// Some are due just before quiet hours begin, and the broker is off until then.
    private mutating func untilQuiet() -> [Step] {
        let quiet = ModelQuietHours(windows: model.windows, zone: world.zone)
        let minutes = (1...Int64(1440)).map { now + $0 * World.minute }
        guard let begin = minutes.first(where: { quiet.isQuiet(at: $0) && !quiet.isQuiet(at: $0 - World.minute) })
        else {
            return []
        }
        let recipient = addressed("device")
        let dates = (1...random.number(2...4)).map { begin - $0 * World.minute }
        return outage(recipient, dates, until: begin + random.number(0...2) * World.minute)
    }

    /// A cap keeps some apart, and the broker is off until more than one of them has come.
    private mutating func heldUp() -> [Step] {
        guard let cap = model.caps.first(where: { $0.per <= grace }) else { return [] }
        let recipient = addressed("device")
        let dates = (0...random.number(1...3)).map { now + world.unit + $0 * cap.per }
        return outage(recipient, dates, until: dates[0] + min(grace, cap.per * random.number(1...3)))
    }

    private mutating func outage(_ recipient: Value, _ dates: [Int64], until end: Int64) -> [Step] {
        let intents = dates.map { schedule(recipient, ["at": .integer($0)]) }
        let first = Step(now: now, intents: [home(recipient)] + intents)
        now = max(now, end)
        return [first, Step(now: now, intents: random.chance(30) ? [intent()] : [], isDown: true)]
    }

    private mutating func schedule(_ recipient: Value, _ trigger: Value) -> Value {
        var intent = schedule()
        (intent["app"], intent["device"]) = (recipient["app"], recipient["device"])
        intent["trigger"] = trigger
        intent["expires"] = nil
        remember(intent)
        return intent
    }

    private func home(_ recipient: Value) -> Value {
        var home = recipient
        home["timeZone"] = .string(world.zoneName)
        return home
    }
}
