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

    @Test("an `at` that has fired is unchanged as long as it is among the last 256, for 7 days")
    func memory() throws {
        let beginning = ScenarioGenerator.beginning
        let minute = ScenarioGenerator.minute
        let all = (0..<300).map { index -> Value in
            [
                "op": "schedule", "app": "app", "device": "d", "id": .string(Text("n\(index)")),
                "content": ["title": "t"], "trigger": ["at": .integer(beginning + minute)], "overdue": "deliver",
            ]
        }
        for later in [0, 7 * 86_400_000 - 1, 7 * 86_400_000 + 1] {
            let scenario = Scenario(
                policy: ["slots": 300],
                steps: [
                    Step(now: beginning, intents: all),
                    Step(now: beginning + minute, intents: []),
                    Step(now: beginning + minute + Int64(later), intents: all),
                ])
            let comparison = try Comparison(scenario)
            #expect(comparison.agrees, "\(later) ms later\n\(comparison.description)")
            let accepted = comparison.simulator.count { $0.contains(#""kind":"accepted""#) }
            #expect(accepted == 300 + (later <= 7 * 86_400_000 ? 44 : 300))
        }
    }
}
