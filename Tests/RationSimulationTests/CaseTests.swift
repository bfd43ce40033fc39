import RationConfiguration
import Testing

/// A worked input of the contract with its right outcome.
struct Case: CustomTestStringConvertible, Sendable {
    static let files = ["calendar", "caps", "quiet", "quotas", "slots", "time"]

    let name: String
    let scenario: Scenario
    let expected: [Value]

    var testDescription: String { name }

    /// The keys of the policy that this version refuses.
    var refusedKeys: [Text] {
        ["quietHours", "caps", "quotas"].filter { scenario.policy[$0] != nil }
    }

    private var intents: [Value] {
        scenario.steps.flatMap(\.intents)
    }

    var usesCalendar: Bool {
        intents.contains { $0["trigger"]?["calendar"] != nil }
    }

    /// Whether every part of it is supported.
    var isSupported: Bool {
        refusedKeys.isEmpty && !usesCalendar && !intents.contains { $0["quietHours"] != nil }
    }

    init(_ value: Value, file: String) throws {
        let name = try #require(value["name"]?.text)
        self.name = "\(file): \(name)"
        let steps = try #require(value["steps"]?.elements)
        scenario = Scenario(policy: value["policy"] ?? [:], steps: try steps.map(Step.init))
        expected = try #require(value["expect"]?.elements)
    }

    static func all() throws -> [Case] {
        try files.flatMap { file in
            let values = try #require(try Value(json: bytes(ofCases: file)).elements)
            return try values.map { try Case($0, file: file) }
        }
    }

    private static func bytes(ofCases file: String) throws -> [UInt8] {
        let folder = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
        return try readFile("/\(folder)/Cases/\(file).json")
    }
}

@Suite("The worked cases of the contract")
struct CaseTests {
    /// How many cases need nothing that this version refuses; fewer would be skipped without a word.
    static let supportedCount = 33
    static let count = 87

    @Test("a case that needs nothing unsupported ends as it says")
    func supportedCases() throws {
        let cases = try Case.all()
        #expect(cases.count == Self.count)
        let supported = cases.filter(\.isSupported)
        #expect(supported.count == Self.supportedCount)
        for example in supported {
            let output = try SimulatorRun.output(example.scenario).map { try Value(json: Array($0.utf8)) }
            #expect(output.map(contractual) == example.expected.map(contractual), "\(example.name)")
            let comparison = try Comparison(example.scenario)
            #expect(comparison.agrees, "\(example.name)\n\(comparison.description)")
        }
    }

    @Test("a policy that asks for something unsupported is refused by the name of the key")
    func refusedPolicies() throws {
        let refused = try Case.all().filter { !$0.refusedKeys.isEmpty }
        #expect(!refused.isEmpty)
        for example in refused {
            let faults = #expect(throws: ConfigurationFaults.self, "\(example.name)") {
                try SimulatorRun.output(example.scenario)
            }
            let paths = Set((faults?.faults ?? []).map { Text($0.path) })
            #expect(paths.isSuperset(of: example.refusedKeys), "\(example.name)")
        }
    }

    @Test("a calendar trigger is rejected as unsupported")
    func refusedTriggers() throws {
        let examples = try Case.all().filter { $0.refusedKeys.isEmpty && $0.usesCalendar }
        #expect(!examples.isEmpty)
        for example in examples {
            let calendar = example.scenario.steps.flatMap(\.intents).filter { $0["trigger"]?["calendar"] != nil }
            let output = try SimulatorRun.output(example.scenario)
            let rejected = output.count { $0.contains(#""error":"trigger.unsupported""#) }
            #expect(rejected == calendar.count, "\(example.name)")
        }
    }

    /// What the contract names; more keys may follow.
    private func contractual(_ line: Value) -> Value {
        let keys: Set<Text> = [
            "at", "kind", "app", "device", "id", "fireDate", "cause", "reason", "final", "error", "held", "queued",
        ]
        return Value.object((line.members ?? []).filter { keys.contains($0.key) }).sorted
    }
}
