import RationModel
import RationPlanner

/// A core, and what it tells in text.
struct DecidingCore: ~Copyable {
    var core: Core
    var decision = Decision()

    init(_ policy: CompiledPolicy, zones: any ZoneSource = TestZones(), seed: UInt64 = 1) {
        core = Core(policy: policy, zones: zones, seed: seed)
    }

    mutating func decide(_ requests: [GeneratedRequest], at clock: Instant) {
        core.decide(IntentBatch(requests), clock: clock, into: &decision)
    }

    /// Fires what falls due before an instant, each batch at its own.
    /// - Returns: what was told.
    mutating func fire(before instant: Instant) -> [String] {
        var told: [String] = []
        while let wake = core.nextWake, wake < instant {
            core.decide(IntentBatch(), clock: wake, into: &decision)
            told += events
        }
        return told
    }

    /// The events of the last batch, a line each.
    var events: [String] {
        decision.events.events.map { event in
            let text = decision.events.bytes.text
            let recipient = decision.events.recipients[Int(event.recipient)]
            return
                "\(decision.now.rfc3339) \(event.kind) \(text(recipient.device)) \(text(event.id)) \(text(event.type)) "
                + "fire \(event.fireDate.rfc3339) requested \(event.requestedDate.rfc3339) p\(event.priority) "
                + "\(event.cause) \(event.reason) final \(event.isFinal.map { "\($0)" } ?? "-") "
                + "until \(event.validUntil.milliseconds) \(text(event.content))"
        }
    }

    /// What became of the intents of the last batch.
    var outcomes: [String] {
        var outcomes = decision.outcomes.map { "\($0)" }
        for problem in decision.problems { outcomes[problem.intent] += " \(problem.rejection.code)" }
        return outcomes
    }

    /// All that is pending, a line each, and when something next wakes.
    var plans: [String] {
        func lines(_ plan: RecipientPlan, _ list: [PlannedNotification], _ word: String) -> [String] {
            list.map {
                "\(plan.device) \(word) \($0.id) \($0.type) p\($0.priority) fire \($0.fireDate.rfc3339) "
                    + "requested \($0.requestedDate.rfc3339)\($0.isRepeating ? " repeats" : "")"
            }
        }
        return core.plans.flatMap { lines($0, $0.held, "held") + lines($0, $0.queued, "queued") }
            + ["wakes \(core.nextWake.map { $0.rfc3339 } ?? "never")"]
    }
}
