import Foundation

extension DurableBenchmark {
    /// Looks at the broker while the load goes on: for each quarter at least one.
    private var looks: Int { min(20, max(4, settings.seconds)) }

    /// Full load for minutes with a durable reader and a SUB, against a burst without them; then acknowledgements at half of
    /// it. The checkpoint is always on.
    func measureSustained(_ section: inout FigureReport.Section) throws {
        let broker = try filledBroker()
        let bursts = try (0..<settings.runs).map { _ in
            try broker.burst(requests: settings.requests).intentsPerSecond()
        }
        let last = UInt64(try broker.numbers().last)
        let follower = LogFollower(broker, after: last, cursor: folder.appendingPathComponent("cursor").path)
        let live = LiveFollower(broker, topics: "")
        let load = try sustain(broker, follower: follower, &section)
        let half = try broker.intake.publish(
            broker.moves(), until: .seconds(max(1, Double(settings.seconds) / 5)),
            rate: load.lastHalf / 2 / Double(DurableSettings.pack))
        let end = UInt64(try broker.numbers().last)
        section.notes.append(
            "at half load the reader is \(end - min(end, follower.position)) events behind, has missed \(follower.missed); "
                + "SUB has \(live.count) of \(end - last) events")
        try follower.stop()
        try live.stop()
        section.figures += figures(bursts: bursts, load, half)
        section.notes.append("acknowledged at half load: \(half.latencies.text)")
    }

    private func figures(bursts: [Double], _ load: SustainedLoad, _ half: Intake.Result) -> [Figure] {
        [
            Figure(name: "sustainedBurst", text: "a burst before", value: bursts.median, unit: "intents/s"),
            Figure(
                name: "sustained", text: "last half of \(settings.seconds) s", value: load.lastHalf, unit: "intents/s"),
            Figure(
                name: "sustainedOfBurst", text: "ratio", value: load.lastHalf / bursts.median, unit: "", digits: 3,
                aim: .atLeast(0.7)),
            // One level of RocksDB's, which comes and goes.
            Figure(
                name: "compactionGrowthMiB", text: "compaction backlog, last quarter less second quarter",
                value: load.backlogGrowth / Double(1 << 20), unit: "MiB", aim: .atMost(256)),
            Figure(
                name: "sustainedP99", text: "acknowledged at full load, p99",
                value: load.latencies.milliseconds(at: 0.99),
                unit: "ms", digits: 1),
            Figure(
                name: "halfLoadP999", text: "acknowledged at half load, p99.9",
                value: half.latencies.milliseconds(at: 0.999), unit: "ms", digits: 1, aim: .atMost(100)),
        ]
    }

    /// Full load, with a look at the broker after each part.
    private func sustain(
        _ broker: FilledBroker, follower: LogFollower, _ section: inout FigureReport.Section
    ) throws -> SustainedLoad {
        var load = SustainedLoad()
        let moves = broker.moves()
        for look in 1...looks {
            let part = try broker.intake.publish(
                moves, from: load.requests, until: .seconds(Double(settings.seconds) / Double(looks)))
            let numbers = try broker.numbers()
            load.add(part, numbers)
            let behind = max(0, numbers.last - Int(follower.position))
            let resident = try broker.process.residentBytes()
            section.notes.append(
                "\(settings.seconds * look / looks) s: \(Decimals.grouped(part.intentsPerSecond())) intents/s, "
                    + "compaction backlog \(numbers.compactionBacklogBytes >> 20), memtables \(numbers.memtableBytes >> 20), "
                    + "tables \(numbers.tableBytes >> 20), resident \(resident >> 20) MiB, reader \(behind) behind"
                    + (numbers.isStopped ? ", stopped" : "")
                    + (numbers.slowedToBytesPerSecond > 0 ? ", slowed down" : ""))
            if !settings.isJSON { tellProgress(section.notes.last ?? "") }
        }
        return load
    }
}

/// What a long load has brought, part by part.
private struct SustainedLoad {
    private var rates: [Double] = []
    private var backlogs: [Double] = []
    private(set) var requests = 0
    private(set) var latencies = Latencies()

    mutating func add(_ part: Intake.Result, _ numbers: BrokerNumbers) {
        rates.append(part.intentsPerSecond())
        backlogs.append(Double(numbers.compactionBacklogBytes))
        requests += part.requests
        latencies.add(part.latencies)
    }

    /// Intents a second; the parts are equally long.
    var lastHalf: Double { Self.mean(rates[(rates.count / 2)...]) }

    /// Bytes by which compaction has fallen behind from the second quarter to the last.
    var backlogGrowth: Double {
        let quarter = backlogs.count / 4
        return Self.mean(backlogs[(3 * quarter)...]) - Self.mean(backlogs[quarter..<2 * quarter])
    }

    private static func mean(_ values: ArraySlice<Double>) -> Double { values.reduce(0, +) / Double(values.count) }
}
