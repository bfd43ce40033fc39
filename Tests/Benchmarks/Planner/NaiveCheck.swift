import RationModel
import RationZones
import TestSupport

/// Whether the naive planner and the core tell the same events, so that what is compared is the same work.
struct NaiveCheck {
    private static let steps = 5_000
    private static let recipients = 8
    private static let ids = 200
    private static let seed: UInt64 = 20_261_201

    private let zones: ZoneDatabase

    init(_ zones: ZoneDatabase) {
        self.zones = zones
    }

    /// From empty recipients to more than the queue takes, each tenth step again as the one before it.
    func run() throws -> Figure {
        let policy = PlannedPolicy(queueLimit: 100)
        var core = CorePlanner(policy, zones: zones, Schedules(recipients: Self.recipients, ids: Self.ids))
        let naive = NaivePlanner(policy.policy)
        var random = SplitMix64(seed: Self.seed)
        let steps = Step.random(Self.steps, recipients: Self.recipients, ids: Self.ids, days: 10, random: &random)
        var previous = steps[0]
        var events = 0
        for (number, step) in steps.enumerated() {
            let step = number % 10 == 9 ? previous : step
            previous = step
            _ = core.decide([step])
            let told = naive.decide(NaiveIntent(step)).map(\.description)
            guard told == core.events else {
                throw BenchmarkError(
                    "step \(number) of seed \(Self.seed): the core tells \(core.events), the naive planner \(told)")
            }
            events += told.count
        }
        return Figure(
            name: "check.events", text: "events that both planners tell alike", value: Double(events), unit: "",
            aim: .atLeast(Double(Self.steps)))
    }
}

extension NaiveIntent {
    init(_ step: Step) {
        self.init(
            device: Step.device(step.recipient), id: Step.id(step.id),
            type: PlannedPolicy.typeName(Step.type(of: step.id)), content: Step.content, date: step.date)
    }
}
