import Foundation
import RationBus
import Testing

@Suite("A simulated broker (the same seed is the same run)")
struct SimulationTests {
    /// Seeds of one run.
    static let seeds = ProcessInfo.processInfo.environment["RATION_SIMULATED_SEEDS"].flatMap(UInt64.init) ?? 2_000

    /// Runs a seed.
    /// - Returns: nil, or what went wrong, with the steps that led to it.
    static func failure(
        seed: UInt64, fault: PlantedFault? = nil, _ context: Context, _ tally: inout Tally
    ) -> String? {
        do {
            let simulation = try SimulatedWorld(seed: seed, fault: fault, context: context)
            defer { tally.add(simulation.tally) }
            do {
                try simulation.run()
                return nil
            } catch {
                return "seed \(seed): \(error)\n\(simulation.trace.words)"
            }
        } catch {
            return "seed \(seed) cannot be set up: \(error)"
        }
    }

    @Test("the same seed is the same run, down to every change of every file")
    func sameRun() throws {
        let context = try Context()
        func hash(_ seed: UInt64) throws -> UInt64 {
            let world = try SimulatedWorld(seed: seed, context: context)
            try world.run()
            return world.trace.hash
        }
        for seed in 1...25 as ClosedRange<UInt64> { #expect(try hash(seed) == hash(seed), "seed \(seed)") }
    }

    /// Runs that go on side by side.
    static let shards: UInt64 = 4

    @Test(
        "nothing that was told is lost, told twice or told otherwise, whatever happens to disk, network and processes",
        arguments: 0..<shards)
    func clean(shard: UInt64) throws {
        let context = try Context()
        var (tally, count) = (Tally(), 0)
        for seed in stride(from: shard + 1, through: Self.seeds, by: Int(Self.shards)) {
            count += 1
            if let failure = Self.failure(seed: seed, context, &tally) {
                Issue.record("\(failure)")
                return
            }
        }
        print(#"{"simulated":\#(count),\#(tally.json)}"#)
    }
}
