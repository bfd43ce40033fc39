import RationModel
import RationZones
import TestSupport

/// A recipient with thousands that wait, under caps: what one more costs, and what planning it from its requested dates
/// costs.
struct WorstCase {
    /// Where the dates lie.
    enum Dates: String {
        case oneInstant, oneWeek

        var text: String { self == .oneInstant ? "all at one instant" : "in one week, five priorities" }
    }

    private let dates: Dates
    private let hasQuietHours: Bool

    static let all = [
        WorstCase(dates: .oneInstant, hasQuietHours: false), WorstCase(dates: .oneWeek, hasQuietHours: false),
        WorstCase(dates: .oneInstant, hasQuietHours: true), WorstCase(dates: .oneWeek, hasQuietHours: true),
    ]

    private static let queued = [1_024, 4_096]
    private static let held = 64
    private static let aimMilliseconds = 2.0
    /// Twice the growth of what is planned leaves room for a logarithm; a square would be sixteen.
    private static let aimGrowth = 8.0
    /// Of a run.
    private static let plans = 20

    func measure(runs: Int, _ zones: ZoneDatabase) throws -> [Figure] {
        var added: [Double] = []
        var scratch: [Double] = []
        for queued in Self.queued {
            let times = try milliseconds(queued: queued, runs: runs, zones)
            added.append(times.added)
            scratch.append(times.scratch)
        }
        return figures("added", "one more", added) + figures("scratch", "from scratch", scratch)
    }

    private func figures(_ key: String, _ what: String, _ times: [Double]) -> [Figure] {
        let name = "worst.\(dates.rawValue)\(hasQuietHours ? "Quiet" : "").\(key)"
        let text = "\(dates.text)\(hasQuietHours ? ", quiet hours" : ""): \(what)"
        let last = times[times.count - 1]
        return zip(Self.queued, times).map { queued, time in
            Figure(
                name: "\(name).\(queued)", text: "\(text), \(queued) queued", value: time, unit: "ms", digits: 3,
                aim: .atMost(Self.aimMilliseconds))
        } + [
            Figure(
                name: "\(name).growth", text: "\(text), growth", value: last / times[0], unit: "", digits: 1,
                aim: .atMost(Self.aimGrowth))
        ]
    }

    private func milliseconds(
        queued: Int, runs: Int, _ zones: ZoneDatabase
    ) throws -> (added: Double, scratch: Double) {
        let count = Self.held + queued
        let policy = PlannedPolicy(hasQuietHours: hasQuietHours, hasCaps: true, queueLimit: 2 * queued)
        var planner = CorePlanner(policy, zones: zones, Schedules(recipients: 1, ids: count + 1))
        var random = SplitMix64(seed: 1)
        planner.decideTogether(steps(count, &random)[...])
        try planner.check(recipient: 0, held: Self.held, queued: queued)
        var added: [Double] = []
        var scratch: [Double] = []
        for run in 0..<runs {
            added.append(millisecondsOfAdded(&planner, id: count, &random))
            scratch.append(millisecondsOfScratch(&planner, run: run))
        }
        try planner.check(recipient: 0, held: Self.held, queued: queued)
        return (added.median, scratch.median)
    }

    private func steps(_ count: Int, _ random: inout SplitMix64) -> [Step] {
        let steps = Step.filling(0, ids: count, days: 7, random: &random)
        return dates == .oneWeek ? steps : Array(steps.map { atOneInstant($0) })
    }

    private func atOneInstant(_ step: Step) -> Step {
        Step(recipient: 0, id: step.id, date: Step.now.advanced(by: 3_600_000))
    }

    /// Schedules one more, and takes it back uncounted.
    private func millisecondsOfAdded(_ planner: inout CorePlanner, id: Int, _ random: inout SplitMix64) -> Double {
        var seconds = 0.0
        for _ in 0..<Self.plans {
            var step = Step.random(1, recipients: 1, ids: 1, days: 7, random: &random)[0]
            if dates == .oneInstant { step = atOneInstant(step) }
            step.id = id
            seconds += Stopwatch.seconds { _ = planner.decide([step]) }
            planner.cancel(id, of: 0)
        }
        return seconds / Double(Self.plans) * 1e3
    }

    /// Lets the device travel there and back.
    private func millisecondsOfScratch(_ planner: inout CorePlanner, run: Int) -> Double {
        let seconds = Stopwatch.seconds {
            for plan in 0..<Self.plans {
                var settings = DeviceSettings()
                settings.timeZone = (run * Self.plans + plan) % 2 == 0 ? "Asia/Kathmandu" : "America/New_York"
                planner.configure(settings, of: 0)
            }
        }
        return seconds / Double(Self.plans) * 1e3
    }
}
