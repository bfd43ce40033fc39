@testable import PlannerModel
import RationConfiguration

/// The model's and the simulator's lines for one scenario.
struct Comparison {
    let scenario: Scenario
    let model: [String]
    let simulator: [String]

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        model = ModelSimulation.output(scenario)
        simulator = try SimulatorRun.output(scenario).map(Self.contractual)
    }

    var agrees: Bool {
        model == simulator
    }

    /// The scenario, and both outputs side by side from the first difference on.
    var description: String {
        let first = zip(model, simulator).prefix { $0 == $1 }.count
        let places = first..<min(max(model.count, simulator.count), first + 12)
        let pairs = places.map { place in
            "  model      \(place < model.count ? model[place] : "–")\n"
                + "  simulator  \(place < simulator.count ? simulator[place] : "–")"
        }
        return "policy \(scenario.policy.json)\n\(scenario.ndjson)\nfrom line \(first + 1) on:\n"
            + pairs.joined(separator: "\n  ·\n")
    }

    /// Events are compared byte for byte. A rejection may say more than the contract asks for, and need not name what
    /// it could not read.
    private static func contractual(_ line: String) throws -> String {
        guard line.contains(#""kind":"rejected""#) else { return line }
        let value = try Value(json: Array(line.utf8))
        let free: Set<Text> = value["error"]?.text == "json" ? ["app", "device", "id"] : []
        let members = (value.members ?? []).filter { member in
            !["field", "message"].contains(member.key) && !free.contains(member.key)
        }
        return Value.object(members).json
    }
}

extension Comparison {
    /// A scenario with fewer steps and intents on which the two still differ.
    func minimized() throws -> Comparison {
        var smallest = self
        var isShrinking = true
        while isShrinking {
            isShrinking = false
            for candidate in smallest.smaller() {
                guard let comparison = try Self.comparison(candidate), !comparison.agrees else { continue }
                smallest = comparison
                isShrinking = true
                break
            }
        }
        return smallest
    }

    /// - Returns: nil if less of a policy is one that is refused.
    private static func comparison(_ scenario: Scenario) throws -> Comparison? {
        do {
            return try Comparison(scenario)
        } catch is ConfigurationFaults {
            return nil
        }
    }

    /// The scenario without one step, one intent, one field of an intent, or one part of its policy.
    private func smaller() -> [Scenario] {
        var candidates: [Scenario] = []
        func add(_ change: (inout Scenario) -> Void) {
            var candidate = scenario
            change(&candidate)
            candidates.append(candidate)
        }
        for step in scenario.steps.indices { add { $0.steps.remove(at: step) } }
        for step in scenario.steps.indices {
            for intent in scenario.steps[step].intents.indices { add { $0.steps[step].intents.remove(at: intent) } }
            for (intent, value) in scenario.steps[step].intents.enumerated() {
                for smaller in value.smallerIntents { add { $0.steps[step].intents[intent] = smaller } }
            }
        }
        for policy in scenario.policy.smallerPolicies { add { $0.policy = policy } }
        return candidates
    }
}

extension Value {
    /// The intent without one of the fields that it can do without.
    fileprivate var smallerIntents: [Value] {
        let optional: [Text] = ["type", "expires", "overdue", "reserved", "timeZone", "quietHours", "categories"]
        return without(optional) + (self["content"] == nil || self["content"] == ["title": "t"] ? [] : [plain])
    }

    private var plain: Value {
        var plain = self
        plain["content"] = ["title": "t"]
        return plain
    }

    /// The policy without one of its keys, or one part of one.
    fileprivate var smallerPolicies: [Value] {
        var policies = without((members ?? []).map(\.key))
        for member in members ?? [] {
            for part in member.value.smallerParts {
                var policy = self
                policy[member.key] = part
                policies.append(policy)
            }
        }
        return policies
    }

    /// A list or mapping of a policy without one of its elements, or one key of an element that it can do without.
    private var smallerParts: [Value] {
        let optional: [Text] = [
            "days", "types", "exempt", "overflow", "priority", "keepsTime", "maxDelay", "prefix", "max",
        ]
        if let elements {
            let shorter = elements.indices.map { index in
                Value.array(Array(elements[..<index] + elements[(index + 1)...]))
            }
            let simpler = elements.enumerated().flatMap { index, element in
                element.without(optional).map { simpler in
                    Value.array(elements.enumerated().map { $0 == index ? simpler : $1 })
                }
            }
            return shorter + simpler
        }
        let simpler = (members ?? []).flatMap { member in
            member.value.without(optional).map { simpler in
                Value.object((members ?? []).map { $0.key == member.key ? .init(key: $0.key, value: simpler) : $0 })
            }
        }
        return without((members ?? []).map(\.key)) + simpler
    }

    private func without(_ keys: [Text]) -> [Value] {
        keys.filter { self[$0] != nil }.map { key in
            var smaller = self
            smaller[key] = nil
            return smaller
        }
    }
}
