@testable import PlannerModel
import Testing

/// A worked input of the contract with its right outcome.
struct Case: CustomTestStringConvertible, Sendable {
    static let files = ["calendar", "caps", "quiet", "quotas", "slots", "time", "further"]

    let name: String
    let scenario: Scenario
    let expected: [Value]

    var testDescription: String { name }

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

    /// Compares lines with the right ones in what the contract names; more keys may follow.
    func expect(_ lines: [String], of teller: String) throws {
        let told = try lines.map { try Value(json: Array($0.utf8)) }
        let first = zip(told, expected).prefix { Self.contractual($0) == Self.contractual($1) }.count
        let isRight = first == told.count && first == expected.count
        #expect(
            isRight,
            """
            \(name), line \(first + 1) of the \(teller)
              told   \(first < told.count ? told[first].json : "–")
              right  \(first < expected.count ? expected[first].json : "–")
            """)
    }

    private static func contractual(_ line: Value) -> Value {
        let keys: Set<Text> = [
            "at", "kind", "app", "device", "id", "fireDate", "cause", "reason", "final", "error", "held", "queued",
        ]
        return Value.object((line.members ?? []).filter { keys.contains($0.key) }).sorted
    }
}

@Suite("The worked cases of the contract")
struct CaseTests {
    /// Fewer would be left out without a word.
    static let count = 88

    @Test("the slow model alone ends as each case says")
    func model() throws {
        let cases = try Case.all()
        #expect(cases.count == Self.count)
        for example in cases { try example.expect(ModelSimulation.output(example.scenario), of: "model") }
    }

    @Test("the simulator ends as each case says")
    func simulator() throws {
        let cases = try Case.all()
        #expect(cases.count == Self.count)
        for example in cases { try example.expect(SimulatorRun.output(example.scenario), of: "simulator") }
    }
}
