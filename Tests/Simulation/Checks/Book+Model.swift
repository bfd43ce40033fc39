import RationModel

@testable import PlannerModel

/// The slow model of the planner, given the same requests at the same instants, tells the same events.
extension Book {
    /// - Parameter policy: the one that was in force all the time.
    func compareWithModel(policy: String) throws {
        var model = ModelSimulation(policy: try Value(json: Array(policy.utf8)))
        var told: [String] = []
        for batch in batches where batch.decides {
            let intents = try batch.bodies.flatMap { body in
                try text(body).split(separator: UInt8(ascii: "\n")).map { try Value(json: Array($0)) }
            }
            model.step(Step(now: batch.now.milliseconds, intents: intents, isDown: true))
            told += batch.events.filter { !$0.kind.isFeedback }.map { Self.line($0, at: batch.now) }
            let expected = model.lines.filter { !$0.contains(#""kind":"rejected""#) }
            guard told == expected else {
                let same = zip(told, expected).prefix { $0 == $1 }.count
                throw Breach(
                    "batch \(batch.number) tells \(told.dropFirst(same).prefix(2)), the slow model "
                        + "\(expected.dropFirst(same).prefix(2))")
            }
        }
    }

    private static func line(_ event: LoggedEvent, at now: Instant) -> String {
        var line = #"{"at":"\#(now.rfc3339)","kind":"\#(event.kind.name)","app":"app","device":"\#(event.device)","#
        line += #""id":"\#(event.id)","fireDate":"\#(event.fireDate.rfc3339)""#
        if event.cause != .none { line += #","cause":"\#(event.cause.name)""# }
        if event.reason != .none { line += #","reason":"\#(event.reason.name)""# }
        if let isFinal = event.isFinal { line += #","final":\#(isFinal)"# }
        return line + "}"
    }
}
