@testable import PlannerModel

/// What a law looks at after a step: what the simulator told and planned, and whose notifications those are.
struct Moment {
    let scenario: Scenario
    let step: Step
    let now: Int64
    let output: [Value]
    let plans: [Value]
    /// Knows the intents, settings and history behind the ids; the dates are the simulator's.
    let before: ModelSimulation
    let after: ModelSimulation

    /// The recipients of the plans, with what is held and queued for when.
    func recipients() -> [(plan: Value, recipient: ModelRecipient, pending: [ModelNotification])] {
        plans.compactMap { plan in
            guard let name = ModelRecipientName(plan), let recipient = after.recipients[name] else { return nil }
            let pairs = (plan["held"]?.elements ?? []) + (plan["queued"]?.elements ?? [])
            let pending = pairs.compactMap { pair -> ModelNotification? in
                guard let id = pair.elements?.first?.text, let date = pair.elements?.last?.date,
                    var notification = recipient.pending(id)
                else { return nil }
                notification.fireDate = date
                return notification
            }
            return (plan, recipient, pending)
        }
    }
}

extension ModelRecipientName {
    /// The recipient of a line of output.
    init?(_ line: Value) {
        guard let app = line["app"]?.text, let device = line["device"]?.text else { return nil }
        self.init(app: app, device: device)
    }
}

/// A broken law: what was found and where.
struct Breach: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) {
        self.description = description
    }
}

/// Generated scenarios, looked at after each step.
enum LawRun {
    /// - Parameter isRight: throws a breach where a law is broken.
    /// - Throws: the first breach, with its seed, step and scenario.
    static func check(
        _ seeds: Range<UInt64>, _ isRight: () -> (Moment) throws(Breach) -> Void
    ) throws {
        for seed in seeds {
            let scenario = ScenarioGenerator.scenario(seed: seed)
            let look = isRight()
            try each(scenario) { moment, index throws(Breach) in
                do throws(Breach) {
                    try look(moment)
                } catch {
                    throw Breach(
                        "seed \(seed), step \(index + 1): \(error)\n\(scenario.policy.json)\n\(scenario.ndjson)")
                }
            }
        }
    }

    private static func each(_ scenario: Scenario, _ look: (Moment, Int) throws(Breach) -> Void) throws {
        var run = try SimulatorRun(policy: scenario.policy)
        var model = ModelSimulation(policy: scenario.policy)
        var now = Int64.min
        for (index, step) in scenario.steps.enumerated() {
            now = max(now, step.now)
            let before = model
            model.step(step)
            let moment = Moment(
                scenario: scenario, step: step, now: now, output: try values(run.step(step)),
                plans: try values(run.plans()), before: before, after: model)
            try look(moment, index)
        }
    }

    static func values(_ lines: [String]) throws -> [Value] {
        try lines.map { try Value(json: Array($0.utf8)) }
    }
}
