import RationModel
import RationPlanner
import RationWire

/// The answer to `explain` (wire.md, "Other queries").
extension Explained {
    /// - Parameter events: those that the log has, oldest first; for one that is not pending at least one.
    func body(events: [ExplainedEvent]) -> [UInt8] {
        ObjectText.bytes { object in
            object.text("app", request.app)
            object.text("device", request.device)
            object.text("id", request.id)
            object.integers(("sequence", Int(truncatingIfNeeded: sequence)))
            object.text("now", now.rfc3339)
            object.text("state", explanation.map { $0.isHeld ? "held" : "queued" } ?? "ended")
            explanation?.write(to: &object)
            let words = explanation?.words(in: zone, now: now) ?? Self.words(ofEnd: events)
            object.list("words", words)
            object.list("events", events) { $0.write(to: &$1) }
        }
    }

    /// How a notification has ended, and what phones and senders have told of it since.
    private static func words(ofEnd events: [ExplainedEvent]) -> [String] {
        let end = events.lastIndex { !$0.kind.isFeedback } ?? events.startIndex
        return events[end...].map(\.words)
    }
}

extension Explanation {
    /// The members that only a pending one has.
    fileprivate func write(to object: inout ObjectText) {
        object.text("type", type)
        switch typeSource {
        case .intent: object.text("typeFrom", "intent")
        case .prefix(let prefix): object.texts(("typeFrom", "prefix"), ("prefix", prefix))
        case .unknown: object.text("typeFrom", "unknown")
        }
        object.integers(("priority", priority))
        object.texts(("priorityFrom", prioritySource), ("trigger", trigger.rawValue), ("timeZone", timeZone))
        object.texts(("requestedDate", requestedDate.rfc3339), ("unmovedDate", unmovedDate.rfc3339))
        object.bool("bound", exemption == nil)
        object.texts(("exemption", exemption?.rawValue ?? ""))
        object.list("moves", moves) { move, object in
            object.texts(
                ("from", move.from.rfc3339), ("to", move.to.rfc3339), ("rule", move.rule), ("reason", move.reason))
            object.list("beside", move.beside) { $0.write(to: &$1) }
        }
        if omittedMoves > 0 { object.integers(("omittedMoves", omittedMoves)) }
        object.text("fireDate", fireDate.rfc3339)
        object.integers(("rank", rank), ("count", count), ("slots", slots))
        object.text("order", order)
        if let share { object.object("share") { share.write(to: &$0) } }
        object.list("displacedBy", displacedBy) { $0.write(to: &$1) }
        if let priorityThatHolds { object.integers(("priorityThatHolds", priorityThatHolds)) }
        if let dateThatHolds { object.text("dateThatHolds", dateThatHolds.rfc3339) }
    }
}

extension Explanation.Share {
    fileprivate func write(to object: inout ObjectText) {
        object.text("quota", quota)
        if let minimum { object.integers(("min", minimum)) }
        if let maximum { object.integers(("max", maximum)) }
        object.integers(("held", held))
    }
}

extension Explanation.Neighbour {
    fileprivate func write(to object: inout ObjectText) {
        object.texts(("id", id), ("date", date.rfc3339))
        object.bool("fired", hasFired)
    }
}
