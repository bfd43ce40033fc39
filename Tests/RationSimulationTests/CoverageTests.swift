@testable import PlannerModel
import Testing

/// What scenarios use and what the model tells of them, counted, so that the generator cannot silently stop making it.
struct Coverage {
    private(set) var counts: [String: Int] = [:]

    mutating func add(_ scenario: Scenario) throws {
        var model = ModelSimulation(policy: scenario.policy)
        for step in scenario.steps { model.step(step) }
        model.writePlans()
        for (use, count) in model.uses { counts["use \(use.rawValue)", default: 0] += count }
        for line in model.lines { add(try Value(json: Array(line.utf8))) }
        add(policy: scenario.policy, "policy")
        for intent in scenario.steps.flatMap(\.intents) { add(intent: intent) }
        let transitions = Set(ModelZone.names.compactMap(ModelZone.named).flatMap { $0.spans.map(\.end) })
        let (first, last) = (scenario.steps.first?.now ?? 0, scenario.steps.map(\.now).max() ?? 0)
        count("transition", if: transitions.contains { $0 >= first && $0 <= last })
    }

    private mutating func count(_ name: String, if isCounted: Bool = true) {
        if isCounted { counts[name, default: 0] += 1 }
    }

    private mutating func add(_ line: Value) {
        let words: [Text] = ["kind", "cause", "reason", "error"]
        var name = words.compactMap { line[$0]?.text?.description }.joined(separator: " ")
        if let isFinal = line["final"]?.bool { name += isFinal ? " final" : " goes on" }
        count(name)
    }

    /// The keys of a policy, and those of its windows, caps and quotas.
    private mutating func add(policy: Value, _ path: String) {
        for member in policy.members ?? [] {
            count("\(path) \(member.key)")
            for part in member.value.elements ?? [] { add(policy: part, "\(path) \(member.key)") }
            if member.key == "quotas" {
                for quota in member.value.members ?? [] { add(policy: quota.value, "\(path) quotas") }
                count("policy quotas *", if: member.value["*"] != nil)
            }
        }
        count("policy with all", if: ["quietHours", "caps", "quotas", "types"].allSatisfy { policy[$0] != nil })
    }

    private mutating func add(intent: Value) {
        let operation = intent["op"]?.text?.description ?? "broken"
        for member in intent.members ?? [] where operation == "device" || operation == "cancel" {
            count("\(operation) \(member.key)")
        }
        if let level = intent["content"]?["interruptionLevel"]?.text { count("level \(level)") }
        for member in intent["trigger"]?.members ?? [] { count("trigger \(member.key)") }
        for member in intent["trigger"]?["calendar"]?.members ?? [] { count("calendar \(member.key)") }
    }
}

@Suite("What generated scenarios use")
struct CoverageTests {
    static let seeds: UInt64 = 1000

    @Test("every rule, event, reason and code comes often in 1,000 scenarios")
    func coverage() throws {
        var coverage = Coverage()
        for seed in 0..<Self.seeds { try coverage.add(ScenarioGenerator.scenario(seed: seed)) }
        let (counts, all) = (coverage.counts, coverage.counts.sorted { $0.key < $1.key })
        for (least, names) in Self.least {
            for name in names {
                #expect(counts[name, default: 0] >= least, "\(name)\n\(all)")
            }
        }
        for use in ModelUse.allCases {
            #expect(Self.least.contains { $0.names.contains("use \(use.rawValue)") }, "\(use)")
        }
    }

    /// About half of what comes today.
    private static let least: [(count: Int, names: [String])] = [
        (
            500,
            [
                "accepted new", "queued new", "due final", "due goes on", "use movedByCap", "trigger at",
                "trigger after", "trigger every", "trigger calendar", "trigger repeats", "trigger timeZone",
                "policy quietHours from", "policy caps limit", "device timeZone",
            ]
        ),
        (
            200,
            [
                "accepted moved", "accepted recurring", "accepted promoted", "accepted replaced", "queued replaced",
                "evicted delay final", "evicted queueFull final", "use movedByQuiet", "policy quietHours",
                "policy caps",
                "policy quotas", "policy quotas min", "policy quotas max", "policy maxDelay", "policy timeZone",
                "policy caps types", "policy caps exempt", "policy caps overflow", "calendar year", "calendar month",
                "calendar day", "calendar weekday", "calendar hour", "calendar minute", "calendar second",
                "level passive", "level active", "level timeSensitive", "level critical", "device reserved",
                "device quietHours", "transition", "rejected expires.beforeFire", "rejected trigger.past",
            ]
        ),
        (
            100,
            [
                "queued moved", "evicted cap final", "evicted slots final", "evicted slots goes on",
                "policy quietHours days", "policy quietHours types", "policy quietHours exempt", "policy quotas *",
                "policy with all", "use passedOver", "use unchanged", "rejected intent.malformed",
            ]
        ),
        (
            30,
            [
                "queued recurring", "expired expires final", "expired late final", "expired late goes on",
                "expired moved final",
                "expired overdue final", "expired overdue goes on", "cancelled final", "cancelled unregistered final",
                "cancel id", "cancel prefix", "cancel type", "use firedEarly", "use guaranteed", "use matchedAgain",
                "use movedByCapThenQuiet", "use remembered", "rejected trigger.never", "rejected trigger.interval",
                "rejected trigger.tooFar", "rejected json",
            ]
        ),
        (
            10,
            [
                "expired never final", "use editedInPlace", "use keptBackByQuiet", "rejected trigger.component",
                "rejected trigger.empty", "rejected timeZone", "rejected quietHours",
            ]
        ),
        (
            4,
            [
                "use keptBackByCap", "use matchedAgainInThePast", "rejected trigger.gap", "rejected app",
                "rejected device", "rejected id", "rejected type", "rejected content.empty", "rejected content.badge",
                "rejected content.relevanceScore", "rejected content.interruptionLevel", "rejected content.userInfo",
            ]
        ),
    ]
}
