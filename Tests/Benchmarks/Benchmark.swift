import Foundation
import RationBus

/// The whole measurement. The two sides take turns, so that what disturbs the machine disturbs both.
struct Benchmark {
    /// Intents of a request.
    static let packs = [1, 256]
    /// Intents of a request while the broker is filled.
    private static let fillingPack = 2_048

    private let settings: Invocation.Settings

    init(_ settings: Invocation.Settings) {
        self.settings = settings
    }

    func run() throws {
        let broker = try BrokerProcess(try BrokerProcess.path())
        let server = try Child(Child.own.path, [AnsweringServer.argument])
        let context = try Context()
        let alone = try Publisher(try server.line(), in: context)
        let through = try Publisher(broker.endpoint, in: context)

        let filling = Requests(filling: settings.recipients, intentsEach: Self.fillingPack)
        var report = Report(
            settings: settings, command: broker.command, fillSeconds: try through.publish(filling),
            memoryMiB: try broker.residentBytes() >> 20)
        for pack in Self.packs {
            report.results.append(try measure(pack, alone, through, broker))
        }
        print(settings.isJSON ? report.json : report.text)
        if settings.isProfiled {
            print("\nwhere the broker's time goes, \(Self.packs[1]) a request:\n\(try profile(through, broker))")
        }
    }

    private func measure(
        _ pack: Int, _ alone: Publisher, _ through: Publisher, _ broker: BrokerProcess
    ) throws -> PackResult {
        var result = PackResult(intentsEach: pack)
        for run in 0..<settings.runs {
            let requests = requests(pack, run: run)
            result.intents += requests.intents
            result.alone.append(Double(requests.intents) / (try alone.publish(requests)))
            let before = try ProcessorTime(of: broker.identifier)
            result.through.append(Double(requests.intents) / (try through.publish(requests)))
            result.processor.add(from: before, to: try ProcessorTime(of: broker.identifier))
        }
        return result
    }

    private func requests(_ pack: Int, run: Int) -> Requests {
        let count = settings.requests * (pack == 1 ? 50 : 1)
        return Requests(
            count: count, intentsEach: pack, recipients: settings.recipients, seed: UInt64(run * 1_000 + pack))
    }

    /// Where the broker's time goes in one more run.
    private func profile(_ through: Publisher, _ broker: BrokerProcess) throws -> String {
        let requests = requests(Self.packs[1], run: settings.runs)
        let profile = try Profile(of: broker.identifier)
        _ = try through.publish(requests)
        return try profile.end()
    }
}

/// What was measured with requests of one size.
struct PackResult {
    let intentsEach: Int
    /// Of all runs.
    var intents = 0
    /// Acknowledged intents a second, run by run.
    var alone: [Double] = []
    var through: [Double] = []
    /// What the broker used in all runs.
    var processor = ProcessorTime()

    init(intentsEach: Int) {
        self.intentsEach = intentsEach
    }

    var ratio: Double { through.median / alone.median }
}

extension [Double] {
    /// The one in the middle; the mean of the two there.
    var median: Double {
        let sorted = sorted()
        guard let upper = sorted.dropFirst(count / 2).first else { return .nan }
        return count % 2 == 1 ? upper : (sorted[count / 2 - 1] + upper) / 2
    }
}
