/// The model's and the simulator's lines for one scenario.
struct Comparison {
    let scenario: Scenario
    let model: [String]
    let simulator: [String]

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        var model = ModelSimulation(policy: scenario.policy, zones: FewZones.names)
        for step in scenario.steps { model.step(step) }
        model.writePlans()
        self.model = model.lines
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
                let comparison = try Comparison(candidate)
                guard !comparison.agrees else { continue }
                smallest = comparison
                isShrinking = true
                break
            }
        }
        return smallest
    }

    /// The scenario without one step, one intent, or one key of its policy.
    private func smaller() -> [Scenario] {
        var candidates: [Scenario] = []
        for step in scenario.steps.indices {
            var candidate = scenario
            candidate.steps.remove(at: step)
            candidates.append(candidate)
        }
        for step in scenario.steps.indices {
            for intent in scenario.steps[step].intents.indices {
                var candidate = scenario
                candidate.steps[step].intents.remove(at: intent)
                candidates.append(candidate)
            }
        }
        for member in scenario.policy.members ?? [] {
            var candidate = scenario
            candidate.policy[member.key] = nil
            candidates.append(candidate)
        }
        return candidates
    }
}
