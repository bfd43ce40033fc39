import Foundation
import RationBus

/// A broker with the notifications of a population, and publishers that move them.
final class FilledBroker {
    let population: Population
    let context: Context
    let fillSeconds: Double
    /// What the process had in memory before it was filled, and after.
    let emptyBytes: Int
    let filledBytes: Int
    private(set) var process: BrokerProcess
    private(set) var intake: Intake
    private let path: String
    private let data: URL
    private let publishers: Int
    /// Other publishers' names after each start.
    private var starts = 0
    private var loads: UInt64 = 0

    init(_ path: String, data: URL, _ population: Population, publishers: Int, in context: Context) throws {
        (self.path, self.data, self.publishers) = (path, data, publishers)
        (self.population, self.context) = (population, context)
        process = try BrokerProcess(path, data: data)
        emptyBytes = try process.residentBytes()
        intake = try Intake(process.endpoint, publishers: publishers, named: "bench-0", in: context)
        let filling = RenderedRequests(intentsEach: DurableSettings.fillingPack, line: population.filling)
        let requests = (population.notifications + filling.intentsEach - 1) / filling.intentsEach
        fillSeconds = try intake.publish(filling, until: .requests(requests)).seconds
        filledBytes = try process.residentBytes()
    }

    /// Other moves with each call.
    func moves(intentsEach: Int = DurableSettings.pack) -> RenderedRequests {
        loads += 1
        let (population, seed) = (population, loads)
        return RenderedRequests(intentsEach: intentsEach) { population.moving($0, seed: seed) }
    }

    /// A run of requests that are rendered before, as fast as they are acknowledged.
    func burst(requests count: Int) throws -> Intake.Result {
        loads += 1
        let (population, seed) = (population, loads)
        let requests = Requests(count: count, intentsEach: DurableSettings.pack) { population.moving($0, seed: seed) }
        return try intake.publish(requests, until: .requests(count))
    }

    func numbers() throws -> BrokerNumbers {
        let client = QueryClient(endpoint: process.queries, in: context)
        return try BrokerNumbers(status: try client.status(timeoutMilliseconds: 30_000))
    }

    /// Ends the process and starts another one on its folder.
    /// - Returns: seconds from the start to `ready`.
    func restart(after signal: Int32) throws -> Double {
        process.end(signal)
        let seconds = try MachineClock.seconds { process = try BrokerProcess(path, data: data) }
        starts += 1
        intake = try Intake(process.endpoint, publishers: publishers, named: "bench-\(starts)", in: context)
        return seconds
    }
}

extension Intake.Result {
    /// Requests of so many intents.
    func intentsPerSecond(_ intentsEach: Int = DurableSettings.pack) -> Double {
        Double(requests * intentsEach) / seconds
    }
}
