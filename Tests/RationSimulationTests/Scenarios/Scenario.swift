import RationModel

/// One step of section 7.
struct Step: Sendable {
    var now: Int64
    var intents: [Value] = []
    var isDown = false

    /// The step as a line of NDJSON.
    var line: String {
        var members: [Value.Member] = [
            .init(key: "now", value: .string(Text(Instant(milliseconds: now).rfc3339))),
            .init(key: "intents", value: .array(intents)),
        ]
        if isDown { members.append(.init(key: "down", value: true)) }
        return Value.object(members).json
    }
}

/// A policy and the steps under it.
struct Scenario: Sendable {
    var policy: Value
    var steps: [Step]

    var ndjson: String {
        steps.map(\.line).joined(separator: "\n")
    }
}
