@testable import PlannerModel

extension ScenarioGenerator {
    mutating func step() -> Step {
        switch random.number(0...99) {
        case 0..<10: crowd()
        case 10..<25: outage()
        case 25..<35: travel()
        case 35..<43: lastMoment()
        default: ordinary()
        }
    }

    private mutating func ordinary() -> Step {
        var isDown = random.chance(20)
        let clock = nextClock(&isDown)
        now = max(now, clock)
        let count = random.chance(25) ? 0 : Int(random.number(1...5))
        return Step(now: clock, intents: (0..<count).map { _ in intent() }, isDown: isDown)
    }

    /// One recipient is sent something for every id.
    private mutating func crowd() -> Step {
        let (app, device) = (random.pick(apps), random.pick(devices))
        let intents = ids.map { id in
            var intent = schedule()
            (intent["app"], intent["device"], intent["id"]) = (app, device, id)
            remember(intent)
            return intent
        }
        return Step(now: now, intents: intents)
    }

    /// The broker is off while some things come, and back before their grace ends, often when it is quiet.
    private mutating func outage() -> Step {
        let end = now + max(min(grace, random.number(2...12) * max(world.unit, 10 * World.minute)), World.minute)
        let quiet = ModelQuietHours(windows: model.windows, zone: world.zone)
        let isQuiet = (1...12).map { now + $0 * world.unit }.filter { quiet.isQuiet(at: $0) }
        now = random.chance(40) ? isQuiet.first ?? end : end
        return Step(now: now, intents: random.chance(30) ? [intent()] : [], isDown: true)
    }

    /// A recipient is in another zone, often just before or when something that floats comes.
    private mutating func travel() -> Step {
        let floating = sent.compactMap { intent -> Int64? in
            guard intent["trigger"]?["calendar"] != nil, intent["trigger"]?["timeZone"] == nil else { return nil }
            let calendar = ModelCalendar(intent["trigger"] ?? [:])
            return calendar.fault == nil
                ? calendar.next(after: now, in: world.zone, until: now + 2 * ModelZone.day) : nil
        }
        var date = nextLandmark(among: 4, differing: [0, 0, -1, -world.unit / 2])
        if random.chance(60), let next = floating.min() {
            date = max(now, next - random.pick([0, 1, 10, 30, 50, 90]) * World.minute)
        }
        let isDown = isFar(date)
        now = date
        var intent = addressed("device")
        intent["timeZone"] = .string(world.zoneName(&random))
        return Step(now: now, intents: random.chance(30) ? [intent, device()] : [intent], isDown: isDown)
    }

    /// What comes at that instant is edited, replaced or told about its recipient.
    private mutating func lastMoment() -> Step {
        let dates = sent.compactMap { $0["trigger"]?["at"]?.date }.filter { $0 > now }.sorted()
        let date = dates.first ?? now
        let isDown = isFar(date)
        now = date
        var intents = sent.filter { $0["trigger"]?["at"]?.date == date }.suffix(3)
        for index in intents.indices where random.chance(70) { intents[index]["content"] = content() }
        for index in intents.indices where random.chance(20) { intents[index]["overdue"] = "deliver" }
        let others = (0..<random.number(0...2)).map { _ in random.chance(50) ? device() : intent() }
        return Step(now: now, intents: (others + intents).shuffled(using: &random), isDown: isDown)
    }

    /// Whether a thousand batches may come until then.
    private func isFar(_ instant: Int64) -> Bool {
        instant - now > (repeatsFast ? 30 : 3 * 1440) * World.minute
    }

    private mutating func nextLandmark(among count: Int64, differing: [Int64]) -> Int64 {
        let ahead = landmarks.filter { $0 > now }.sorted()
        guard !ahead.isEmpty else { return now + world.unit }
        let landmark = ahead[Int(random.number(0...min(Int64(ahead.count), count) - 1))]
        return max(landmark + random.pick(differing), now)
    }

    private mutating func nextClock(_ isDown: inout Bool) -> Int64 {
        switch random.number(0...99) {
        case 0..<8: return now
        case 8..<12: return now - random.number(1...5) * World.minute
        case 12..<16:
            isDown = true
            return now + random.pick([3_600_000, 86_400_000, 7 * 86_400_000, 8 * 86_400_000])
        case 16..<22: return now + random.number(1...10 * world.unit)
        default: break
        }
        let landmark = nextLandmark(among: 5, differing: [-1, 0, 0, 0, 1])
        if isFar(landmark) { isDown = true }
        return landmark
    }
}
