import RationModel

/// One step of section 7.
struct Step: Sendable {
    var now: Int64
    var intents: [Value]
    var isDown: Bool

    init(now: Int64, intents: [Value] = [], isDown: Bool = false) {
        self.now = now
        self.intents = intents
        self.isDown = isDown
    }

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

extension Value {
    /// An instant in milliseconds: RFC 3339, or a whole number of them.
    var date: Int64? {
        integer ?? text.flatMap { Instant(rfc3339: $0.description)?.milliseconds }
    }
}
