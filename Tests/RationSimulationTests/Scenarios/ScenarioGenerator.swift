import TestSupport

/// Makes scenarios in which dates, ids and deadlines collide.
struct ScenarioGenerator {
    static let beginning: Int64 = 1_796_025_600_000  // 2026-11-30T08:00:00Z
    static let minute: Int64 = 60_000

    var random: SplitMix64
    var policy: Value
    var grace: Int64
    var now = beginning
    /// Instants at, just before and just after which something may happen.
    var landmarks: Set<Int64> = []
    /// Earlier `schedule` intents, to be sent again.
    var sent: [Value] = []
    let apps: [Value]
    let devices: [Value]
    let ids: [Value]

    static func scenario(seed: UInt64) -> Scenario {
        var generator = ScenarioGenerator(seed: seed)
        let count = Int(generator.random.number(3...14))
        return Scenario(policy: generator.policy, steps: (0..<count).map { _ in generator.step() })
    }

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
        policy = PolicyGenerator.policy(&random)
        grace = ModelPolicy(policy).grace
        apps = random.chance(80) ? ["app"] : ["app", "app.b"]
        devices = random.chance(70) ? ["d"] : ["d", "d 2"]
        let all: [Value] = ["a", "b", "c", "h.1", "h.2", "h.x.1", "n", "é", "e\u{301}"]
        ids = Array(all.shuffled(using: &random).prefix(Int(random.number(2...7))))
    }

    mutating func step() -> Step {
        var isDown = random.chance(20)
        let clock = nextClock(&isDown)
        now = max(now, clock)
        let count = random.chance(25) ? 0 : Int(random.number(1...6))
        return Step(now: clock, intents: (0..<count).map { _ in intent() }, isDown: isDown)
    }

    private mutating func nextClock(_ isDown: inout Bool) -> Int64 {
        switch random.number(0...99) {
        case 0..<10: return now
        case 10..<15: return now - random.number(1...5) * Self.minute
        case 15..<20:
            isDown = true
            return now + random.pick([3_600_000, 86_400_000, 7 * 86_400_000, 8 * 86_400_000])
        case 20..<25: return now + random.number(1...600_000)
        default: break
        }
        let ahead = landmarks.filter { $0 > now }.sorted()
        guard !ahead.isEmpty else { return now + Self.minute }
        let landmark = ahead[Int(random.number(0...Int64(min(ahead.count, 4) - 1)))]
        if landmark - now > 1_800_000 { isDown = true }
        return max(landmark + random.pick([-1, 0, 0, 0, 1]), now)
    }

    /// Notes instants at which a notification of that date may be told about.
    mutating func note(date: Int64, expires: Int64?) {
        landmarks.formUnion([date, date + grace, date + grace + 1])
        if let expires { landmarks.insert(expires) }
        for delay in ModelPolicy(policy).kinds.compactMap(\.maxDelay) { landmarks.insert(date + delay) }
        if random.chance(3) { landmarks.insert(date + 7 * 86_400_000) }
    }
}
