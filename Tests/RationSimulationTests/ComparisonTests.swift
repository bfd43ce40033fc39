@testable import PlannerModel
import Testing

@Suite("The simulator against a slow model of the contract")
struct ComparisonTests {
    @Test("every line of a generated scenario is the one that the contract asks for")
    func generatedScenarios() async throws {
        var tally = Tally()
        try await withThrowingTaskGroup(of: Tally.self) { group in
            for seeds in Seeds.parts { group.addTask { try Self.compare(seeds) } }
            for try await part in group { tally.add(part) }
        }
        print(tally.json)
        #expect(tally.seeds == Seeds.count && tally.disagreements == 0, "\(tally.json)")
    }

    /// Tells of the first scenario on which the two differ, as short as it can be made, and counts all.
    private static func compare(_ seeds: Range<UInt64>) throws -> Tally {
        var tally = Tally()
        for seed in seeds {
            let comparison = try comparison(seed)
            tally.add(comparison)
            guard !comparison.agrees, tally.disagreements == 1 else { continue }
            Issue.record("seed \(seed)\n\(try comparison.minimized().description)")
        }
        return tally
    }

    private static func comparison(_ seed: UInt64) throws -> Comparison {
        let scenario = ScenarioGenerator.scenario(seed: seed)
        do {
            return try Comparison(scenario)
        } catch {
            Issue.record("seed \(seed): \(error)\n\(scenario.policy.json)\n\(scenario.ndjson)")
            throw error
        }
    }

    @Test("an `at` that has fired is unchanged as long as it is among the last 256, for 7 days")
    func memory() throws {
        let beginning: Int64 = 1_796_025_600_000
        let minute = World.minute
        let all = (0..<300).map { index -> Value in
            [
                "op": "schedule", "app": "app", "device": "d", "id": .string(Text("n\(index)")),
                "content": ["title": "t"], "trigger": ["at": .integer(beginning + minute)], "overdue": "deliver",
            ]
        }
        let days: Int64 = 7 * 86_400_000
        for (later, accepted) in [(0, 344), (days - 1, 344), (days, 600), (days + 1, 600)] {
            let scenario = Scenario(
                policy: ["slots": 300],
                steps: [
                    Step(now: beginning, intents: all),
                    Step(now: beginning + minute, intents: []),
                    Step(now: beginning + minute + Int64(later), intents: all),
                ])
            let comparison = try Comparison(scenario)
            #expect(comparison.agrees, "\(later) ms later\n\(comparison.description)")
            #expect(comparison.simulator.count { $0.contains(#""kind":"accepted""#) } == accepted, "\(later) ms later")
        }
    }
}
