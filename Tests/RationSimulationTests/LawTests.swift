@testable import PlannerModel
import Testing

@Suite("The laws of section 5, on generated scenarios")
struct LawTests {
    @Test("a recipient never holds more than its slots", arguments: Seeds.fewParts)
    func slots(seeds: Range<UInt64>) throws {
        try LawRun.check(seeds) { Laws.slots }
    }

    @Test(
        "no bound notification is placed where it exceeds a cap beside what was fixed before it",
        arguments: Seeds.fewParts)
    func caps(seeds: Range<UInt64>) throws {
        try LawRun.check(seeds) { Laws.caps }
    }

    @Test("no fire date of one that quiet hours bind lies in them", arguments: Seeds.fewParts)
    func quietPlans(seeds: Range<UInt64>) throws {
        try LawRun.check(seeds) { Laws.quietPlans }
    }

    @Test("none that quiet hours bind is due in them", arguments: Seeds.fewParts)
    func quietDue(seeds: Range<UInt64>) throws {
        try LawRun.check(seeds) { Laws.quietDue }
    }

    @Test("folding the events rebuilds the held and the queued set with their dates", arguments: Seeds.fewParts)
    func folding(seeds: Range<UInt64>) throws {
        try LawRun.check(seeds) {
            var ledger = Ledger()
            return { moment throws(Breach) in
                for line in moment.output { ledger.fold(line) }
                for plan in moment.plans { try ledger.check(plan, now: moment.now) }
            }
        }
    }

    @Test("every notification ends in exactly one event with `final` true, or is pending", arguments: Seeds.fewParts)
    func endings(seeds: Range<UInt64>) throws {
        try LawRun.check(seeds) {
            var lives = Lives()
            return { moment throws(Breach) in
                let schedules = moment.step.intents.filter { $0["op"] == "schedule" }
                let scheduled = Set(schedules.compactMap { $0["id"]?.text })
                try lives.take(moment.output, scheduled: scheduled)
                for plan in moment.plans { try lives.check(plan) }
            }
        }
    }

    @Test("planning twice is planning once", arguments: Seeds.fewParts)
    func twice(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let scenario = ScenarioGenerator.scenario(seed: seed)
            var run = try SimulatorRun(policy: scenario.policy)
            var now = Int64.min
            for (index, step) in scenario.steps.enumerated() {
                now = max(now, step.now)
                _ = try run.step(step)
                // The first time what waits is brought to now; the second time must change nothing.
                for token in ["first", "second"] {
                    let before = try LawRun.values(run.plans())
                    if before.contains(where: { Self.fires($0, at: now) }) { break }
                    let again = before.compactMap(ModelRecipientName.init).map { Self.touch($0, "\(token) \(index)") }
                    let told = try run.step(Step(now: now, intents: again, isDown: true))
                    let isSame = try told.isEmpty && LawRun.values(run.plans()) == before
                    #expect(isSame || token == "first", "seed \(seed), step \(index + 1): \(told)\n\(scenario.ndjson)")
                }
            }
        }
    }

    /// An intent that has a recipient planned and changes nothing that a plan depends on.
    private static func touch(_ name: ModelRecipientName, _ token: String) -> Value {
        ["op": "device", "app": .string(name.app), "device": .string(name.device), "token": .string(Text(token))]
    }

    /// Whether something held fires in the next batch at that instant.
    private static func fires(_ plan: Value, at now: Int64) -> Bool {
        (plan["held"]?.elements ?? []).contains { ($0.elements?.last?.date ?? .max) <= now }
    }

    @Test("the same input gives the same bytes, whatever seeds the hashes", arguments: Seeds.fewParts)
    func determinism(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let scenario = ScenarioGenerator.scenario(seed: seed)
            let first = try SimulatorRun.output(scenario, hashSeed: 0)
            #expect(try SimulatorRun.output(scenario, hashSeed: 0) == first, "seed \(seed)")
            #expect(
                try SimulatorRun.output(scenario, hashSeed: seed &* 0x9E37_79B9_7F4A_7C15 | 1) == first, "seed \(seed)")
        }
    }

    @Test("schedules permuted or split over batches at one instant end in the same plan", arguments: Seeds.fewParts)
    func permutation(seeds: Range<UInt64>) throws {
        var compared = 0
        for seed in seeds {
            var generator = ScenarioGenerator(seed: seed)
            let now = generator.now
            let settings = (0..<2).map { _ in generator.device() }
            let intents = generator.distinctSchedules()
            let shuffled = intents.shuffled(using: &generator.random)
            let cut = Int(generator.random.number(0...Int64(intents.count)))
            let batches = [[intents], [shuffled], [Array(shuffled[..<cut]), Array(shuffled[cut...])]]
            let scenarios = batches.map { batches in
                Scenario(policy: generator.policy, steps: ([settings] + batches).map { Step(now: now, intents: $0) })
            }
            let outputs = try scenarios.map { try SimulatorRun.output($0) }
            if outputs.joined().contains(where: { $0.contains(#""final":true"#) }) { continue }
            compared += 1
            let plans = outputs.map { $0.filter { $0.contains(#""kind":"plan""#) } }
            #expect(
                plans[0] == plans[1] && plans[0] == plans[2],
                "seed \(seed)\n\(generator.policy.json)\n\(scenarios[2].ndjson)")
        }
        #expect(compared >= seeds.count / 4, "\(compared) of \(seeds)")
    }
}

extension ScenarioGenerator {
    /// `schedule` intents with distinct ids for each recipient, all for after now.
    fileprivate mutating func distinctSchedules() -> [Value] {
        var schedules: [[Value?]: Value] = [:]
        var order: [[Value?]] = []
        for _ in 0..<random.number(2...12) {
            var intent = schedule()
            intent["expires"] = nil
            if random.chance(50) { intent["trigger"] = ["at": .integer(now + random.number(1...6) * world.unit)] }
            guard intent["trigger"]?["at"].map({ ($0.date ?? now) > now }) ?? true else { continue }
            guard (intent["trigger"]?["after"]?.number ?? 1) >= 0.001 else { continue }
            let key = [intent["app"], intent["device"], intent["id"]]
            if schedules.updateValue(intent, forKey: key) == nil { order.append(key) }
        }
        return order.compactMap { schedules[$0] }
    }
}
