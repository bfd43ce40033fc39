/// What is told about a notification (wire.md, "Events"; semantics.md section 5), in the order in which the events of
/// one recipient and batch are published: a device that applies them in order removes before it adds.
public enum EventKind: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case due, expired, cancelled, evicted, queued, accepted

    /// The word on the wire.
    public var name: StaticString {
        switch self {
        case .due: "due"
        case .expired: "expired"
        case .cancelled: "cancelled"
        case .evicted: "evicted"
        case .queued: "queued"
        case .accepted: "accepted"
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

/// The events of one batch, in the order in which they are published, with the bytes that they name.
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
    public var recipients: ContiguousArray<Recipient> = []

    public init() {}

    /// Forgets everything and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll()
        events.removeAll(keepingCapacity: true)
        recipients.removeAll(keepingCapacity: true)
    }
}
