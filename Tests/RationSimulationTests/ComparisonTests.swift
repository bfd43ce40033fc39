import Glibc
import Testing

/// How many generated scenarios the tests run: `RATION_SEEDS`, or 5,000.
let seedCount = getenv("RATION_SEEDS").flatMap { UInt64(String(cString: $0)) } ?? 5000

/// The seeds in ranges that run beside each other.
let seedRanges: [Range<UInt64>] = (0..<20).map { part in seedCount * part / 20..<seedCount * (part + 1) / 20 }

@Suite("The simulator against a slow model of the contract")
struct ComparisonTests {
    @Test("every line of a generated scenario is the one that the contract asks for", arguments: seedRanges)
    func generatedScenarios(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let comparison = try Comparison(ScenarioGenerator.scenario(seed: seed))
            if comparison.agrees { continue }
            let minimized = try comparison.minimized()
            Issue.record("seed \(seed)\n\(minimized.description)")
            return
        }
    }
}
