@testable import PlannerModel
import RationModel
import RationPlanner
import RationSimulation
import SoonestOrder
import Testing

@Suite("Steps with categories")
struct CategoryStepTests {
    private static let step =
        #"{"now":"2026-12-01T08:00:00Z","intents":["#
        + #"{"op":"schedule","app":"a","device":"d","id":"1","content":{"title":"t","category":"Message"},"trigger":{"after":60}},"#
        + #"{"op":"device","app":"a","device":"d","categories":["supply"]},"#
        + #"{"op":"schedule","app":"a","device":"d","id":"2","content":{"title":"t","category":"message"},"trigger":{"after":60}}]}"#

    private static func lines(_ rule: Policy.UndeclaredCategories, isDeclared: Bool = true) throws -> [String] {
        var policy = Policy()
        policy.categories = rule
        let declared = CategoryDeclarations([
            DeclaredApp(app: "a", categories: [NotificationCategory(identifier: "message")])
        ])
        let core = Core(
            policy: CompiledPolicy(policy, order: SoonestOrder(), rules: []), zones: try FewZones(), seed: 0)
        var simulator = Simulator(core: core, categories: isDeclared ? declared : nil)
        var bytes: [UInt8] = []
        try Array(step.utf8).withUnsafeBytes { line in try simulator.step(line) { bytes += $0 } }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("what would be rejected or warned of is told behind the step's events")
    func told() throws {
        let unregistered =
            #"{"at":"2026-12-01T08:00:00.000Z","kind":"warning","app":"a","device":"d","id":"2","error":"content.category","#
            + #""field":"content.category","message":"the device has registered no category 'message', but 'supply'"}"#
        let undeclared =
            #","app":"a","device":"d","id":"1","error":"content.category","field":"content.category","#
            + #""message":"the app a has declared no category 'Message', did you mean 'message'? Categories are compared byte for byte"}"#
        let warned = try Self.lines(.warn)
        #expect(warned.count == 4)
        #expect(warned.suffix(2) == [#"{"at":"2026-12-01T08:00:00.000Z","kind":"warning""# + undeclared, unregistered])
        let rejected = try Self.lines(.reject)
        #expect(rejected.count == 3)
        #expect(
            rejected.suffix(2) == [#"{"at":"2026-12-01T08:00:00.000Z","kind":"rejected""# + undeclared, unregistered])
        #expect(try Self.lines(.ignore).count == 2)
    }

    @Test("without declarations no category is looked at, not even those that devices registered")
    func undeclared() throws {
        for rule in Policy.UndeclaredCategories.allCases {
            #expect(try Self.lines(rule, isDeclared: false).count == 2)
        }
    }
}
