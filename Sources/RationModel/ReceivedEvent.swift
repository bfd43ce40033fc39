/// One event of the log as a subscriber gets it (wire.md, "Events").
public struct ReceivedEvent: Hashable, Sendable {
    public var sequence: UInt64
    /// When it was decided.
    public var time: Instant
    public var kind: EventKind
    public var cause = EventCause.none
    public var reason = EventReason.none
    /// Whether the notification has ended; nil for kinds that never end one.
    public var isFinal: Bool?
    public var app: String
    public var device: String
    public var id: String
    public var type: String
    public var priority: Int32
    public var fireDate: Instant
    public var requestedDate: Instant
    public var batch: UInt64
    /// Of `due` only: who shows it, until when, and its content as canonical JSON.
    public var delivery = Delivery.push
    public var validUntil: Instant?
    public var content: [UInt8] = []
    /// Of feedback only: the action that was chosen, why it failed (each empty without), how long the typed text is. Its type
    /// and dates are not told: the type is empty, the priority 0, the dates are `distantPast`.
    public var action = ""
    public var failure = ""
    public var textLength: Int32?

    public init(
        sequence: UInt64, time: Instant, kind: EventKind, app: String, device: String, id: String, type: String,
        priority: Int32, fireDate: Instant, requestedDate: Instant, batch: UInt64
    ) {
        (self.sequence, self.time, self.kind, self.batch) = (sequence, time, kind, batch)
        (self.app, self.device, self.id) = (app, device, id)
        (self.type, self.priority) = (type, priority)
        (self.fireDate, self.requestedDate) = (fireDate, requestedDate)
    }

    /// Feedback about a notification.
    public init(
        sequence: UInt64, time: Instant, feedback kind: EventKind, app: String, device: String, id: String,
        batch: UInt64
    ) {
        self.init(
            sequence: sequence, time: time, kind: kind, app: app, device: device, id: id, type: "", priority: 0,
            fireDate: .distantPast, requestedDate: .distantPast, batch: batch)
    }
}
