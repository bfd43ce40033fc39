import Foundation

extension DurableBenchmark {
    /// Publish → durable → acknowledged in packs of 256, against the same bytes as rows into RocksDB alone and against Redis.
    /// The sides take turns, so that what disturbs the machine disturbs all.
    func measureBurst(_ section: inout FigureReport.Section) throws {
        let broker = try filledBroker()
        let redis = settings.redisRequests > 0 ? try startRedis(&section) : nil
        var rates = BurstRates()
        for run in 0..<settings.runs {
            let load = try measureBurst(of: broker)
            rates.broker.append(load.intentsPerSecond)
            let rows = RocksRows(batches: load.batches, bytesEach: load.bytesEach)
            let seconds = try rows.seconds(in: folder.appendingPathComponent("rows-\(run)"))
            rates.rows.append(Double(settings.requests * DurableSettings.pack) / seconds)
            rates.batches.append(load)
            guard let redis else { continue }
            rates.redis.append(try redis.intentsPerSecond(requests: settings.redisRequests, run: run))
        }
        section.figures += rates.figures
        section.notes.append(rates.note)
        section.notes.append(
            "filled with \(settings.recipients) × \(settings.pending) notifications at "
                + "\(Decimals.grouped(Double(broker.population.notifications) / broker.fillSeconds)) intents/s")
    }

    private func measureBurst(of broker: FilledBroker) throws -> BurstLoad {
        let before = try broker.numbers()
        let result = try broker.burst(requests: settings.requests)
        let after = try broker.numbers()
        let batches = max(1, after.batches - before.batches)
        return BurstLoad(
            intentsPerSecond: result.intentsPerSecond(), batches: batches,
            bytesEach: (after.committedBytes - before.committedBytes) / batches, latencies: result.latencies)
    }

    /// - Returns: nil, with a note, where there is no Redis.
    private func startRedis(_ section: inout FigureReport.Section) throws -> RedisIntents? {
        guard let program = RedisServer.program() else {
            section.notes.append("Redis is not measured: the package redis-server is missing")
            return nil
        }
        let server = try RedisServer(program, folder: folder.appendingPathComponent("redis"))
        let redis = try RedisIntents(server, recipients: settings.recipients, connections: settings.publishers)
        tellProgress("filling Redis with \(settings.recipients) notifications")
        try redis.fill()
        section.notes.append("Redis has one notification of each recipient")
        return redis
    }
}

/// What a broker did with one run's requests.
struct BurstLoad {
    var intentsPerSecond: Double
    var batches: Int
    var bytesEach: Int
    var latencies: Latencies
}

/// Intents a second, run by run.
private struct BurstRates {
    var broker: [Double] = []
    var rows: [Double] = []
    var redis: [Double] = []
    var batches: [BurstLoad] = []

    var figures: [Figure] {
        let unit = "intents/s"
        var figures = [
            Figure(name: "burst", text: "publish, durable, acknowledged", value: broker.median, unit: unit),
            Figure(name: "burstRows", text: "the same batches as rows into RocksDB", value: rows.median, unit: unit),
            Figure(
                name: "burstOfRows", text: "ratio to RocksDB", value: broker.median / rows.median, unit: "", digits: 3,
                aim: .atLeast(0.4)),
        ]
        guard !redis.isEmpty else { return figures }
        figures += [
            Figure(name: "burstRedis", text: "Redis, a script an intent", value: redis.median, unit: unit),
            Figure(
                name: "burstOfRedis", text: "ratio to Redis", value: broker.median / redis.median, unit: "", digits: 1,
                aim: .atLeast(8)),
        ]
        return figures
    }

    var note: String {
        let loads = batches.count
        let count = batches.map(\.batches).reduce(0, +) / max(1, loads)
        let bytes = batches.map(\.bytesEach).reduce(0, +) / max(1, loads)
        var latencies = Latencies()
        for load in batches { latencies.add(load.latencies) }
        return
            "\(count) batches of \(Decimals.grouped(Double(bytes))) bytes a run; acknowledged after \(latencies.text)"
    }
}
