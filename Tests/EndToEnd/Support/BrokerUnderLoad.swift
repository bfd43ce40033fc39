import Glibc
import RationBus
import TestSupport
import TestProcesses
import Testing

/// A broker that publishers keep busy while a test does to it what it likes, and what it has told them.
final class BrokerUnderLoad {
    private static let policy = "{slots: 4, queueLimit: 6, grace: 1h}"

    let folder: TemporaryFolder
    let seed: UInt64
    private var random: SplitMix64
    private(set) var broker: BrokerProcess
    let publishers: [LoadPublisher]
    private let context: Context

    /// - Parameter store: how the first broker keeps its data.
    init(in folder: TemporaryFolder? = nil, store: [String] = BrokerProcess.storeOptions) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        seed = UInt64(truncatingIfNeeded: WallClock.milliseconds)
        var random = SplitMix64(seed: seed)
        let context = try Context()
        let broker = try BrokerProcess(policy: Self.policy, in: folder, store: store)
        publishers = try ["a", "b", "c"].map { try LoadPublisher(broker, $0, in: context, seed: random.next()) }
        (self.broker, self.context, self.random) = (broker, context, random)
    }

    /// A number by chance.
    func below(_ bound: UInt64) -> UInt64 { random.next() % bound }

    /// Publishes for a while.
    /// - Parameter requests: of each publisher at most.
    func run(milliseconds: Int, requests: Int = 12) throws {
        let deadline = Deadline(milliseconds: milliseconds)
        var left = publishers.map { _ in requests }
        while deadline.left > 0 {
            for (place, publisher) in publishers.enumerated() {
                if left[place] > 0, random.next() % 3 == 0 {
                    try publisher.submit(&random)
                    left[place] -= 1
                }
                try publisher.poll(milliseconds: 1)
            }
        }
    }

    /// Publishes until the broker has ended by itself.
    func runUntilItEnds(_ location: SourceLocation = #_sourceLocation) throws -> Ending {
        let deadline = Deadline()
        while !broker.process.hasEnded {
            try deadline.require("the broker ends", location)
            try run(milliseconds: 20)
        }
        return try broker.process.wait(location)
    }

    func kill(_ location: SourceLocation = #_sourceLocation) throws {
        #expect(try broker.stop(SIGKILL, location) == .signal(SIGKILL), sourceLocation: location)
    }

    func start(environment: [String: String] = [:], _ location: SourceLocation = #_sourceLocation) throws {
        broker = try BrokerProcess(in: folder, environment: environment, location)
    }

    /// Waits until everything that was published has its answer.
    func drain(_ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline(milliseconds: 60_000)
        while !publishers.allSatisfy(\.isDrained) {
            try deadline.require("all answers", location)
            for publisher in publishers { try publisher.poll(milliseconds: 5) }
        }
    }

    /// Waits until nothing is pending any more that fires within a minute.
    func waitUntilQuiet(_ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline()
        while try plans().contains(where: { plan in
            (plan.held + plan.queued).contains { $0.fireDate < WallClock.milliseconds + 60_000 }
        }) {
            try deadline.require("what is due soon has fired", location)
            try run(milliseconds: 50, requests: 0)
        }
    }

    /// What the broker says that each device has pending.
    func plans() throws -> [LoadPlan] {
        try publishers.flatMap(\.devices).sorted().compactMap { device in
            try LoadPlan(broker.plan(device: device).body)
        }
    }
}
