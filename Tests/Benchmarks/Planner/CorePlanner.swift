import RationModel
import RationPlanner
import RationZones

/// The core, fed with steps.
struct CorePlanner: ~Copyable {
    private var core: Core
    private var decision = Decision()
    private var schedules: Schedules

    init(_ policy: PlannedPolicy, zones: ZoneDatabase, _ schedules: Schedules) {
        core = Core(policy: policy.compiled, zones: zones, seed: 1)
        self.schedules = schedules
    }

    /// Decides each step as a batch of its own.
    /// - Returns: how many events there were.
    mutating func decide(_ steps: ArraySlice<Step>, now: Instant = Step.now) -> Int {
        var events = 0
        for step in steps {
            schedules.removeAll()
            schedules.add(step)
            core.decide(schedules.batch, clock: now, into: &decision)
            events += decision.events.events.count
        }
        return events
    }

    /// Decides all steps as one batch.
    mutating func decideTogether(_ steps: ArraySlice<Step>, now: Instant = Step.now) {
        schedules.removeAll()
        for step in steps { schedules.add(step) }
        core.decide(schedules.batch, clock: now, into: &decision)
    }

    mutating func cancel(_ id: Int, of recipient: Int) {
        schedules.removeAll()
        schedules.addCancel(id, of: recipient)
        core.decide(schedules.batch, clock: Step.now, into: &decision)
    }

    /// Tells a device's settings; a change plans the recipient from its requested dates.
    mutating func configure(_ settings: DeviceSettings, of recipient: Int) {
        schedules.removeAll()
        schedules.addSettings(settings, of: recipient)
        core.decide(schedules.batch, clock: Step.now, into: &decision)
    }

    /// The events of the last batch, in words.
    var events: [String] {
        let buffer = decision.events
        return buffer.events.map { event in
            ToldEvent(
                kind: "\(event.kind)", cause: "\(event.cause)", reason: "\(event.reason)",
                id: buffer.bytes.text(event.id), fireDate: event.fireDate, isFinal: event.isFinal
            ).description
        }
    }

    /// Refuses to measure what is not filled as it was meant.
    func check(recipient: Int, held: Int, queued: Int) throws {
        let plan = core.plan(app: Step.app, device: Step.device(recipient))
        guard let plan, plan.held.count == held, plan.queued.count == queued else {
            throw BenchmarkError(
                "expected \(held) held and \(queued) queued, found \(plan?.held.count ?? 0) and \(plan?.queued.count ?? 0)"
            )
        }
    }
}

/// An event as far as both planners tell it.
struct ToldEvent: CustomStringConvertible {
    var kind: String
    var cause: String
    var reason: String
    var id: String
    var fireDate: Instant
    var isFinal: Bool?

    var description: String {
        "\(kind) \(cause) \(reason) \(id) \(fireDate.milliseconds) \(isFinal.map { "\($0)" } ?? "-")"
    }
}
