import RationModel
import RationZones
import TestSupport

/// Recipients with 64 held and 64 queued, of which each step gives a random one another date.
struct FullRecipients {
    private static let ids = 128
    private static let held = 64
    /// With ten a day at most, 128 have to move in ten days and need not in forty.
    private static let days = 10
    private static let sparseDays = 40

    /// Intents of a batch, where many are decided together.
    private static let pack = 256

    private let recipients: Int
    private let steps: Int
    private let naiveSteps: Int
    private let zones: ZoneDatabase

    /// - Parameters:
    ///   - steps: of a run of the core.
    ///   - naiveSteps: of a run of the naive planner.
    init(_ recipients: Int, steps: Int, naiveSteps: Int, _ zones: ZoneDatabase) {
        self.recipients = recipients
        self.steps = steps
        self.naiveSteps = naiveSteps
        self.zones = zones
    }

    private struct Times {
        var naive: [Double] = []
        var plain: [Double] = []
        var packed: [Double] = []
        var ruled: [Double] = []
        var sparse: [Double] = []
    }

    /// The planners take turns.
    func measure(runs: Int, name: String, text: String) throws -> [Figure] {
        let naive = filledNaive()
        var plain = try filled(.plain, days: Self.days)
        var ruled = try filled(.ruled, days: Self.days)
        var sparse = try filled(.ruled, days: Self.sparseDays)
        var times = Times()
        for run in 0..<runs {
            times.naive.append(nanosecondsOfNaive(naive, run: run))
            times.plain.append(nanoseconds(&plain, days: Self.days, run: run))
            times.packed.append(nanosecondsTogether(&plain, run: run))
            times.ruled.append(nanoseconds(&ruled, days: Self.days, run: run))
            times.sparse.append(nanoseconds(&sparse, days: Self.sparseDays, run: run))
        }
        return figures(times, name: name, text: text)
    }

    private func figures(_ times: Times, name: String, text: String) -> [Figure] {
        let (naive, plain) = (times.naive.median, times.plain.median)
        func figure(_ key: String, _ what: String, _ value: Double, _ unit: String, _ aim: Figure.Aim? = nil) -> Figure
        {
            Figure(
                name: "full.\(name).\(key)", text: "\(text): \(what)", value: value, unit: unit,
                digits: unit == "ns" ? 0 : 1, aim: aim)
        }
        return [
            figure("naive", "naive planner", naive, "ns"),
            figure("plain", "core", plain, "ns"),
            figure("plainRatio", "naive / core", naive / plain, "", .atLeast(20)),
            figure("packed", "core, \(Self.pack) a batch", times.packed.median, "ns"),
            figure("packedRatio", "naive / core, \(Self.pack) a batch", naive / times.packed.median, ""),
            figure("ruled", "core with quiet hours and two caps, dates in ten days", times.ruled.median, "ns"),
            figure("ruledRatio", "with / without", times.ruled.median / plain, "", .atMost(10)),
            figure("sparse", "core with quiet hours and two caps, dates in forty days", times.sparse.median, "ns"),
            figure("sparseRatio", "with / without", times.sparse.median / plain, "", .atMost(10)),
        ]
    }

    private func nanoseconds(_ planner: inout CorePlanner, days: Int, run: Int) -> Double {
        let steps = changes(steps, days: days, run: run)
        // A first part fills the caches and is not counted.
        let warmUp = steps.count / 10
        _ = planner.decide(steps[..<warmUp])
        return Stopwatch.seconds { _ = planner.decide(steps[warmUp...]) } / Double(steps.count - warmUp) * 1e9
    }

    /// The same with many in a batch, as a broker decides them.
    private func nanosecondsTogether(_ planner: inout CorePlanner, run: Int) -> Double {
        let steps = changes(steps, days: Self.days, run: run + 1_000)
        let seconds = Stopwatch.seconds {
            for start in stride(from: 0, to: steps.count, by: Self.pack) {
                planner.decideTogether(steps[start..<min(start + Self.pack, steps.count)])
            }
        }
        return seconds / Double(steps.count) * 1e9
    }

    private func nanosecondsOfNaive(_ planner: NaivePlanner, run: Int) -> Double {
        let intents = changes(naiveSteps, days: Self.days, run: run).map(NaiveIntent.init)
        var events = 0
        let seconds = Stopwatch.seconds {
            for intent in intents { events += planner.decide(intent).count }
        }
        precondition(events >= intents.count, "each replacement is told")
        return seconds / Double(intents.count) * 1e9
    }

    private func changes(_ count: Int, days: Int, run: Int) -> [Step] {
        var random = SplitMix64(seed: UInt64(1_000 + run))
        return Step.random(count, recipients: recipients, ids: Self.ids, days: days, random: &random)
    }

    private func filled(_ policy: PlannedPolicy, days: Int) throws -> CorePlanner {
        var planner = CorePlanner(policy, zones: zones, Schedules(recipients: recipients, ids: Self.ids))
        var random = SplitMix64(seed: 1)
        for recipient in 0..<recipients {
            planner.decideTogether(Step.filling(recipient, ids: Self.ids, days: days, random: &random)[...])
        }
        try planner.check(recipient: recipients - 1, held: Self.held, queued: Self.ids - Self.held)
        return planner
    }

    private func filledNaive() -> NaivePlanner {
        let planner = NaivePlanner(PlannedPolicy.plain.policy)
        var random = SplitMix64(seed: 1)
        for recipient in 0..<recipients {
            planner.fill(
                Step.filling(recipient, ids: Self.ids, days: Self.days, random: &random).map(NaiveIntent.init))
        }
        return planner
    }
}
