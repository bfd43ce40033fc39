public import RationModel

/// An event of the log as `explain` tells it (wire.md, "Other queries").
public struct ExplainedEvent: Hashable, Sendable {
    public var sequence: UInt64
    public var batch: UInt64
    public var at: Instant
    public var kind: EventKind
    public var cause = EventCause.none
    public var reason = EventReason.none
    public var isFinal: Bool?
    public var fireDate: Instant
    public var requestedDate: Instant
    /// Of feedback: the action that was chosen, why it failed (each empty without), how long the typed text is.
    public var action = ""
    public var failure = ""
    public var textLength: Int32?

    /// `explain` tells so many, the newest.
    public static let limit = 20

    public init(
        sequence: UInt64, batch: UInt64, at: Instant, kind: EventKind, fireDate: Instant, requestedDate: Instant
    ) {
        (self.sequence, self.batch, self.at, self.kind) = (sequence, batch, at, kind)
        (self.fireDate, self.requestedDate) = (fireDate, requestedDate)
    }

    public init(_ entry: EventEntry) {
        self.init(
            sequence: entry.sequence, batch: entry.batch, at: entry.time, kind: entry.kind, fireDate: entry.fireDate,
            requestedDate: entry.requestedDate)
        (cause, reason, isFinal) = (entry.cause, entry.reason, entry.isFinal)
        action = String(decoding: entry.action, as: UTF8.self)
        failure = String(decoding: entry.failure, as: UTF8.self)
        textLength = entry.textLength
    }

    /// Its members, dates as in events.
    public func write(to object: inout ObjectText) {
        object.integers(("sequence", Int(truncatingIfNeeded: sequence)))
        object.texts(("at", at.rfc3339), ("kind", "\(kind.name)"))
        if kind.isFeedback { writeFeedback(to: &object) } else { writePlan(to: &object) }
        object.integers(("batch", Int(truncatingIfNeeded: batch)))
    }

    private func writePlan(to object: inout ObjectText) {
        object.texts(("cause", "\(cause.name)"), ("reason", "\(reason.name)"))
        if let isFinal { object.bool("final", isFinal) }
        object.texts(("fireDate", fireDate.rfc3339), ("requestedDate", requestedDate.rfc3339))
    }

    private func writeFeedback(to object: inout ObjectText) {
        object.texts(("action", action), ("reason", failure))
        if let textLength { object.integers(("textLength", Int(textLength))) }
    }
}
