import Foundation
import RationBus
import RationModel
import RationPluginKit
import RationScheduling

/// What a scheduler's run costs beside the bare minimum: a SELECT of the same rows when nothing has changed, `ration publish`
/// of the same lines when all is new.
struct SchedulerBenchmark {
    private let settings: Invocation.SchedulerSettings

    init(_ settings: Invocation.SchedulerSettings) {
        self.settings = settings
    }

    func run() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-bench-scheduler-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // What is left in the folder for temporary files harms nobody.
        defer { try? FileManager.default.removeItem(at: folder) }
        let facts = try SchedulerFacts(in: folder, users: settings.users, habitsEach: settings.habitsEach)
        print("machine  \(Machine().description)")
        if !Machine.isOptimized { print("NOT OPTIMIZED: swift run -c release bench scheduler") }
        print("facts    \(settings.users) users, \(settings.habitsEach) rows each; \(settings.runs) runs, medians")
        try unchanged(facts)
        try new(facts)
    }

    /// The runs take turns with the SELECTs, so that what disturbs the machine disturbs both.
    private func unchanged(_ facts: SchedulerFacts) throws {
        let broker = try BrokerProcess(try BrokerProcess.path())
        let runner = try runner(facts, broker, "unchanged")
        try runner.runOnce(timeoutMilliseconds: Self.patience)
        // The second one settles what the first one's events say.
        try runner.runOnce(timeoutMilliseconds: Self.patience)
        var (select, run): ([Double], [Double]) = ([], [])
        for _ in 0..<settings.runs {
            select.append(try Self.seconds { guard try facts.select() > 0 else { throw BenchmarkError("no facts") } })
            run.append(try Self.seconds { try runner.runOnce(timeoutMilliseconds: Self.patience) })
        }
        Self.tell("unchanged", ("SELECT", select), ("run", run))
    }

    /// Each against a broker of its own, which has seen nothing.
    private func new(_ facts: SchedulerFacts) throws {
        var (publish, run): ([Double], [Double]) = ([], [])
        let path = try BrokerProcess.path()
        for index in 0..<settings.runs {
            try {
                let broker = try BrokerProcess(path)
                publish.append(
                    try Self.seconds {
                        let child = try Child(path, ["publish", "--quiet", "--intents", broker.endpoint, facts.lines])
                        guard child.wait() == 0 else { throw BenchmarkError("ration publish has failed") }
                    })
            }()
            let broker = try BrokerProcess(path)
            let runner = try runner(facts, broker, "new-\(index)")
            run.append(try Self.seconds { try runner.runOnce(timeoutMilliseconds: Self.patience) })
        }
        Self.tell("all new", ("ration publish", publish), ("run", run))
    }

    private static let patience: Int64 = 600_000

    private func runner(_ facts: SchedulerFacts, _ broker: BrokerProcess, _ name: String) throws -> SchedulerRunner {
        let options = SchedulerOptions(
            name: "bench-\(name)", facts: facts.file, state: facts.folder.appendingPathComponent("\(name).db").path,
            queries: ["habits": BenchmarkScheduler.query], intentsEndpoint: broker.endpoint,
            queriesEndpoint: broker.queries)
        return try SchedulerRunner(BenchmarkScheduler(), options, zones: NoZones(), in: Context()) { notice in
            switch notice {
            case .line(let line): print("         \(line)")
            case .complaint(let line): print("         ! \(line)")
            }
        }
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start) / .seconds(1)
    }

    private static func tell(
        _ what: String, _ baseline: (name: String, seconds: [Double]), _ measured: (name: String, seconds: [Double])
    ) {
        func text(_ side: (name: String, seconds: [Double])) -> String {
            let (least, most) = (side.seconds.min() ?? 0, side.seconds.max() ?? 0)
            return "\(side.name) \(String(format: "%.3f s (%.3f to %.3f)", side.seconds.median, least, most))"
        }
        let ratio = measured.seconds.median / baseline.seconds.median
        print("\(what): \(text(baseline)), \(text(measured)); ratio \(String(format: "%.2f", ratio))")
    }
}
