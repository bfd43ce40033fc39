import RationModel
import RationPlanner

/// A core, and what it tells in values that can be compared.
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
    mutating func fire(before instant: Instant) -> [ToldEvent] {
        var told: [ToldEvent] = []
        while let wake = core.nextWake, wake < instant {
            core.decide(IntentBatch(), clock: wake, into: &decision)
            told += events
        }
        return told
    }

    /// The events of the last batch.
    var events: [ToldEvent] { decision.events.events.map { ToldEvent($0, of: decision) } }

    /// What became of the intents of the last batch.
    var outcomes: [String] {
        var outcomes = decision.outcomes.map { "\($0)" }
        for problem in decision.problems { outcomes[problem.intent] += " \(problem.rejection.code)" }
        return outcomes
    }

    /// All that is pending.
    var plans: [PlanLine] {
        core.plans.flatMap { plan in
            plan.held.map { PlanLine($0, of: plan, isHeld: true) }
                + plan.queued.map { PlanLine($0, of: plan, isHeld: false) }
        }
    }
}

/// All that an event tells.
struct ToldEvent: Hashable, CustomStringConvertible {
    var at: Instant
    var kind: EventKind
    var cause: EventCause
    var reason: EventReason
    var isFinal: Bool?
    var device: String
    var id: String
    var type: String
    var content: String
    var priority: Int32
    var fireDate: Instant
    var requestedDate: Instant
    var validUntil: Instant

    init(_ event: Event, of decision: Decision) {
        let bytes = decision.events.bytes
        at = decision.now
        (kind, cause, reason, isFinal) = (event.kind, event.cause, event.reason, event.isFinal)
        device = bytes.text(decision.events.recipients[Int(event.recipient)].device)
        (id, type, content) = (bytes.text(event.id), bytes.text(event.type), bytes.text(event.content))
        priority = event.priority
        (fireDate, requestedDate, validUntil) = (event.fireDate, event.requestedDate, event.validUntil)
    }

    var description: String {
        "\n\(at.rfc3339) \(kind) \(device) \(id) \(type) fire \(fireDate.rfc3339) requested \(requestedDate.rfc3339) "
            + "p\(priority) \(cause) \(reason) final \(isFinal.map { "\($0)" } ?? "-") until \(validUntil.rfc3339)"
    }
}

/// One pending notification, as a plan shows it.
struct PlanLine: Hashable, CustomStringConvertible {
    var device: String
    var isHeld: Bool
    var id: String
    var type: String
    var priority: Int
    var fireDate: Instant
    var requestedDate: Instant
    var isRepeating: Bool

    init(_ planned: PlannedNotification, of plan: RecipientPlan, isHeld: Bool) {
        device = plan.device
        self.isHeld = isHeld
        (id, type, priority) = (planned.id, planned.type, planned.priority)
        (fireDate, requestedDate) = (planned.fireDate, planned.requestedDate)
        isRepeating = planned.isRepeating
    }

    var description: String {
        "\n\(device) \(isHeld ? "held" : "queued") \(id) \(type) p\(priority) fire \(fireDate.rfc3339) "
            + "requested \(requestedDate.rfc3339)\(isRepeating ? " repeats" : "")"
    }
}
