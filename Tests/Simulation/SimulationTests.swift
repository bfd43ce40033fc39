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

    @Test(
        "nothing that was told is lost, told twice or told otherwise, whatever happens to disk, network and processes")
    func clean() throws {
        let context = try Context()
        var tally = Tally()
        for seed in 1...Self.seeds {
            if let failure = Self.failure(seed: seed, context, &tally) {
                Issue.record("\(failure)")
                return
            }
        }
        print("simulated \(Self.seeds) seeds, none of which broke a rule: \(tally.words)")
    }
}
