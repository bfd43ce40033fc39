@testable import PlannerModel
import TestSupport

/// Makes scenarios in which dates, ids and deadlines collide.
struct ScenarioGenerator {
    let world: World
    var random: SplitMix64
    let policy: Value
    let model: ModelPolicy
    var now: Int64
    /// Instants at, just before and just after which something may happen.
    var landmarks: Set<Int64> = []
    /// Earlier `schedule` intents, to be sent again.
    var sent: [Value] = []
    /// Whether something repeats so often that a day of it would be told a thousand times.
    var repeatsFast = false
    let apps: [Value]
    let devices: [Value]
    let ids: [Value]

    var grace: Int64 { model.grace }

    static func scenario(seed: UInt64) -> Scenario {
        var generator = ScenarioGenerator(seed: seed)
        let count = Int(generator.random.number(2...7))
        let opening = generator.opening()
        return Scenario(policy: generator.policy, steps: opening + (0..<count).map { _ in generator.step() })
    }

    init(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        world = World(&random)
        var policies = PolicyGenerator(world: world, around: world.beginning, &random)
        policy = policies.policy()
        model = ModelPolicy(policy)
        now = world.beginning
        apps = random.chance(85) ? ["app"] : ["app", "app.b"]
        devices = random.chance(80) ? ["d"] : ["d", "d 2"]
        let all: [Value] = ["a", "b", "c", "h.1", "h.2", "h.x.1", "n", "é", "e\u{301}"]
        ids = Array(all.shuffled(using: &random).prefix(Int(random.number(3...9))))
        self.random = random
    }

    /// Notes instants at which a notification of that date may be told about.
    mutating func note(date: Int64, expires: Int64?) {
        landmarks.formUnion([date, date + grace, date + grace + 1, date - world.unit / 2])
        if let expires { landmarks.insert(expires) }
        for delay in model.kinds.compactMap(\.maxDelay) { landmarks.insert(date + delay) }
        for cap in model.caps { landmarks.insert(date + cap.per) }
        let end = ModelQuietHours(windows: model.windows, zone: world.zone).end(from: date)
        if end > date { landmarks.insert(end) }
        if random.chance(3) { landmarks.insert(date + 7 * 86_400_000) }
    }
}
