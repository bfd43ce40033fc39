import RationModel
import Testing

/// A fifth of the seeds: these tests look at the plans after each step.
private let lawSeeds: [Range<UInt64>] = (0..<20).map { part in
    seedCount * part / 100..<seedCount * (part + 1) / 100
}

@Suite("The laws of section 5, on generated scenarios")
struct LawTests {
    @Test("folding the events rebuilds the plan; what has begun ends once or is pending", arguments: lawSeeds)
    func folding(seeds: Range<UInt64>) throws {
        for seed in seeds {
            try check(seed) { scenario, now, step, output, plans, ledger throws(Ledger.Breach) in
                let scheduled = Set(step.intents.filter { $0["op"]?.text == "schedule" }.compactMap { $0["id"]?.text })
                for line in output { try ledger.fold(line, scheduled: scheduled) }
                for plan in plans { try ledger.check(plan, now: now) }
            }
        }
    }

    @Test("a recipient never holds more than its slots", arguments: lawSeeds)
    func slots(seeds: Range<UInt64>) throws {
        for seed in seeds {
            var reserved: [ModelRecipientName: Int64] = [:]
            try check(seed) { scenario, _, step, _, plans, _ throws(Ledger.Breach) in
                let policy = ModelPolicy(scenario.policy)
                for value in step.intents {
                    guard let intent = try? ModelIntent(value, policy: policy, zones: FewZones.names) else { continue }
                    if case .remove = intent.request { reserved[intent.recipient] = nil }
                    guard case .device = intent.request, let count = value["reserved"]?.integer else { continue }
                    reserved[intent.recipient] = count
                }
                for plan in plans {
                    let name = ModelRecipientName(app: plan["app"]?.text ?? "", device: plan["device"]?.text ?? "")
                    let slots = max(0, policy.slots - (reserved[name] ?? 0))
                    let held = plan["held"]?.elements?.count ?? 0
                    if held > slots { throw Ledger.Breach("\(held) held in \(slots) slots: \(plan.json)") }
                }
            }
        }
    }

    private typealias Check = (Scenario, Int64, Step, [Value], [Value], inout Ledger) throws(Ledger.Breach) -> Void

    /// Runs a scenario and looks at it after each step: what was told, and the plans.
    private func check(_ seed: UInt64, _ isRight: Check) throws {
        let scenario = ScenarioGenerator.scenario(seed: seed)
        var run = try SimulatorRun(policy: scenario.policy)
        var ledger = Ledger()
        var now = Int64.min
        for (index, step) in scenario.steps.enumerated() {
            now = max(now, step.now)
            let output = try run.step(step).map { try Value(json: Array($0.utf8)) }
            let plans = try run.plans().map { try Value(json: Array($0.utf8)) }
            do throws(Ledger.Breach) {
                try isRight(scenario, now, step, output, plans, &ledger)
            } catch {
                Issue.record("seed \(seed), step \(index + 1): \(error)\n\(scenario.policy.json)\n\(scenario.ndjson)")
                return
            }
        }
    }

    @Test("planning twice is planning once", arguments: lawSeeds)
    func twice(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let scenario = ScenarioGenerator.scenario(seed: seed)
            var run = try SimulatorRun(policy: scenario.policy)
            for (index, step) in scenario.steps.enumerated() {
                _ = try run.step(step)
                let before = run.plans()
                if try isDue(before, at: scenario.steps[...index].map(\.now).max() ?? step.now) { continue }
                let told = try run.step(Step(now: step.now, isDown: true))
                let after = run.plans()
                #expect(told == [] && before == after, "seed \(seed), step \(index + 1)\n\(scenario.ndjson)")
            }
        }
    }

    /// Whether something held fires in the next batch at that instant.
    private func isDue(_ plans: [String], at now: Int64) throws -> Bool {
        try plans.contains { line in
            let held = try Value(json: Array(line.utf8))["held"]?.elements ?? []
            return held.contains { ($0.elements?.last?.date ?? .max) <= now }
        }
    }

    @Test("the same input gives the same bytes, whatever seeds the hashes", arguments: lawSeeds)
    func determinism(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let scenario = ScenarioGenerator.scenario(seed: seed)
            let first = try SimulatorRun.output(scenario, hashSeed: 0)
            #expect(try SimulatorRun.output(scenario, hashSeed: 0) == first, "seed \(seed)")
            #expect(
                try SimulatorRun.output(scenario, hashSeed: seed &* 0x9E37_79B9_7F4A_7C15 | 1) == first, "seed \(seed)")
        }
    }

    @Test("schedules permuted or split over batches at one instant end in the same plan", arguments: lawSeeds)
    func permutation(seeds: Range<UInt64>) throws {
        var compared = 0
        for seed in seeds {
            var generator = ScenarioGenerator(seed: seed)
            let now = generator.now
            let intents = generator.distinctSchedules()
            let shuffled = intents.shuffled(using: &generator.random)
            let cut = Int(generator.random.number(0...Int64(intents.count)))
            let together = Scenario(policy: generator.policy, steps: [Step(now: now, intents: intents)])
            let permuted = Scenario(policy: generator.policy, steps: [Step(now: now, intents: shuffled)])
            let split = Scenario(
                policy: generator.policy,
                steps: [
                    Step(now: now, intents: Array(shuffled[..<cut])), Step(now: now, intents: Array(shuffled[cut...])),
                ])
            let outputs = try [together, permuted, split].map { try SimulatorRun.output($0) }
            if outputs.joined().contains(where: { $0.contains(#""final":true"#) }) { continue }
            compared += 1
            let plans = outputs.map { $0.filter { $0.contains(#""kind":"plan""#) } }
            #expect(plans[0] == plans[1] && plans[0] == plans[2], "seed \(seed)\n\(split.policy.json)\n\(split.ndjson)")
        }
        #expect(compared > seeds.count / 4)
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
            if random.chance(75) { intent["trigger"] = ["at": .integer(now + random.number(1...6) * Self.minute)] }
            guard intent["trigger"]?["at"].map({ ($0.date ?? now) > now }) ?? true else { continue }
            guard (intent["trigger"]?["after"]?.number ?? 1) >= 0.001 else { continue }
            let key = [intent["app"], intent["device"], intent["id"]]
            if schedules.updateValue(intent, forKey: key) == nil { order.append(key) }
        }
        return order.compactMap { schedules[$0] }
    }
}
