/// What is told about a notification (wire.md, "Events"; semantics.md section 5). What the planner has decided comes first,
/// in the order in which the events of one recipient and batch are published: a device that applies them in order removes
/// before it adds. Then what phones and senders have told of it: that changes no plan.
public enum EventKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case due, expired, cancelled, evicted, queued, accepted
    case delivered, opened, dismissed, action, failed

    /// The planner's kinds: who folds them has every plan.
    public static let planned: [EventKind] = allCases.filter { !$0.isFeedback }
    /// The kinds that an accepted `feedback` becomes, named as its outcomes.
    public static let feedback: [EventKind] = allCases.filter(\.isFeedback)

    /// Whether it tells what has become of a notification outside the broker.
    @inline(__always)
    public var isFeedback: Bool { rawValue >= EventKind.delivered.rawValue }

    /// The word on the wire.
    public var name: StaticString {
        switch self {
        case .due: "due"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .evicted: "evicted"
        case .queued: "queued"
        case .accepted: "accepted"
        case .delivered: "delivered"
        case .opened: "opened"
        case .dismissed: "dismissed"
        case .action: "action"
        case .failed: "failed"
        }
    }
}

/// Why a notification is now held or queued.
public enum EventCause: UInt8, Sendable, BitwiseCopyable {
    case none, new, replaced, recurring, promoted, moved, policy

    /// The word on the wire; empty for `none`.
    public var name: StaticString {
        switch self {
        case .none: ""
        case .new: "new"
        case .replaced: "replaced"
        case .recurring: "recurring"
        case .promoted: "promoted"
        case .moved: "moved"
        case .policy: "policy"
        }
    }
}

/// Why a notification went.
public enum EventReason: UInt8, Sendable, BitwiseCopyable {
    case none, expires, late, overdue, moved, never, slots, queueFull, delay, cap, unregistered

    /// The word on the wire; empty for `none`.
    public var name: StaticString {
        switch self {
        case .none: ""
        case .expires: "expires"
        case .late: "late"
        case .overdue: "overdue"
        case .moved: "moved"
        case .never: "never"
        case .slots: "slots"
        case .queueFull: "queueFull"
        case .delay: "delay"
        case .cap: "cap"
        case .unregistered: "unregistered"
        }
    }
}

/// One event of a batch. Text is named by its place in the `EventBuffer` that holds it.
public struct Event: Sendable, BitwiseCopyable {
    public var kind: EventKind
    public var cause: EventCause = .none
    public var reason: EventReason = .none
    /// Whether the notification has ended; nil for kinds that never end one.
    public var isFinal: Bool?
    /// Whether the policy names the type; topics and metrics call the others `unknown`.
    public var isTypeNamed = false
    public var delivery: Delivery = .push
    public var priority: Int32 = 0
    /// Place in the buffer's `recipients`.
    public var recipient: UInt32 = 0
    public var fireDate = Instant.distantPast
    public var requestedDate = Instant.distantPast
    /// When it must no longer be shown; told with `due`.
    public var validUntil = Instant.distantFuture
    public var id: ByteRange = .empty
    public var type: ByteRange = .empty
    /// Canonical JSON; told with `due`. With a `contentPosition` only its count says something.
    public var content: ByteRange = .empty
    /// Where a store keeps the content; `none` for one that stands in the buffer.
    public var contentPosition = ContentPosition.none

    public init(kind: EventKind) {
        self.kind = kind
    }
}

/// What a `feedback` tells of a notification (semantics.md section 2). Text is named by its place in the bytes of whoever
/// holds it.
public struct Feedback: Sendable, BitwiseCopyable {
    /// One of `EventKind.feedback`.
    public var kind: EventKind
    /// The identifier of the action that was chosen; empty: none was told.
    public var action: ByteRange = .empty
    /// Why it failed, a word of the sender's; empty: it was not told.
    public var failure: ByteRange = .empty
    /// How long the text is that was typed with the action; -1: it was not told.
    public var textLength: Int32 = -1

    public init(_ kind: EventKind) {
        self.kind = kind
    }
}

/// The event that an accepted `feedback` becomes: it says nothing of a plan, and the broker need not know the notification.
public struct FeedbackEvent: Sendable, BitwiseCopyable {
    public var feedback: Feedback
    /// Place in the buffer's `recipients`.
    public var recipient: UInt32
    public var id: ByteRange

    public init(_ feedback: Feedback, recipient: UInt32, id: ByteRange) {
        (self.feedback, self.recipient, self.id) = (feedback, recipient, id)
    }
}

/// The events of one batch, in the order in which they are published, with the bytes that they name: what was decided, and
/// behind it what was told as feedback, as it came.
public struct EventBuffer: Sendable {
    /// The pair that names a recipient.
    public struct Recipient: Sendable {
        public var app: ByteRange
        public var device: ByteRange

        public init(app: ByteRange, device: ByteRange) {
            self.app = app
            self.device = device
        }
    }

    public var bytes = ByteArena()
    public var events: ContiguousArray<Event> = []
    public var feedback: ContiguousArray<FeedbackEvent> = []
    public var recipients: ContiguousArray<Recipient> = []

    public init() {}

    /// Events of both kinds.
    public var count: Int { events.count + feedback.count }

    /// Forgets everything and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll()
        events.removeAll(keepingCapacity: true)
        feedback.removeAll(keepingCapacity: true)
        recipients.removeAll(keepingCapacity: true)
    }
}
