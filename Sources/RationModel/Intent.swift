/// One request of a service about one recipient (semantics.md section 2), as RationWire reads it. Text is named by its
/// place in the `IntentBatch` that holds the intent, so that reading one allocates nothing.
public struct Intent: Sendable {
    /// What is asked for. `rejected` stands for a line that could not be read: `rejection` says why.
    public enum Operation: UInt8, Sendable {
        case schedule, cancelID, cancelPrefix, cancelType, device, remove, feedback, rejected
    }

    public var operation: Operation
    /// What to do with a notification whose time passed without its firing.
    public var overdue: Overdue = .drop
    public var level: InterruptionLevel = .active
    /// The recipient; empty ranges where a rejected line did not name it.
    public var app: ByteRange = .empty
    public var device: ByteRange = .empty
    /// The notification's id; for a cancel the id, prefix or type that it names.
    public var id: ByteRange = .empty
    /// The type that the intent names itself; empty when it names none.
    public var type: ByteRange = .empty
    /// The content as canonical JSON: fixed order, defaults left out.
    public var content: ByteRange = .empty
    /// The category that the content names, for the core to hold against what the device has registered; empty where that
    /// is not looked at.
    public var category: ByteRange = .empty
    public var trigger: Trigger = .none
    /// When it must no longer be shown; `distantFuture` without `expires`.
    public var expires: Instant = .distantFuture
    /// Place in the batch's `settings` (device), `feedback` (feedback) or `rejections` (rejected); -1 without one.
    public var detail: Int32 = -1

    public init(operation: Operation) {
        self.operation = operation
    }
}

/// When a notification is wanted (semantics.md section 2). Intervals are seconds as the service wrote them.
public enum Trigger: Hashable, Sendable {
    case none
    case at(Instant)
    case after(seconds: Double)
    case every(seconds: Double)
    case calendar(CalendarTrigger)
}

/// `overdue` of an intent.
public enum Overdue: UInt8, Sendable {
    case drop, deliver
}

/// How loud a notification is, in iOS's terms (UNNotificationInterruptionLevel).
public enum InterruptionLevel: UInt8, CaseIterable, Sendable, BitwiseCopyable {
    case passive, active, timeSensitive, critical

    /// The word on the wire.
    public var name: StaticString {
        switch self {
        case .passive: "passive"
        case .active: "active"
        case .timeSensitive: "timeSensitive"
        case .critical: "critical"
        }
    }
}

/// Who shows what is due: the push sender, or the phone from its own plan.
public enum Delivery: UInt8, Sendable, BitwiseCopyable {
    case push, local

    /// The word on the wire.
    public var name: StaticString {
        switch self {
        case .push: "push"
        case .local: "local"
        }
    }
}

/// A device's quiet hours: its own in place of the policy's, or the policy's.
public enum DeviceQuietHours: Hashable, Sendable {
    case policy
    case own([QuietWindow])
}

/// What a `device` intent changes: only the named fields. An empty token or zone clears it.
public struct DeviceSettings: Hashable, Sendable {
    public var timeZone: String?
    public var token: String?
    /// When the token was told last, which the broker notes; nil for an intent, and for a token that was told before it did.
    public var registered: Instant?
    public var environment: String?
    public var delivery: Delivery?
    public var reserved: Int32?
    public var categories: [String]?
    public var quietHours: DeviceQuietHours?

    public init() {}

    /// Takes over the fields that `change` names.
    /// - Parameter defaultTimeZone: the zone of a device that has told none.
    /// - Returns: whether anything is different now. What equals its default holds anyway.
    public mutating func apply(_ change: DeviceSettings, defaultTimeZone: String) -> Bool {
        let before = (bytes(defaultTimeZone), quietHours ?? .policy)
        if let timeZone = change.timeZone { self.timeZone = timeZone }
        if let token = change.token { self.token = token.isEmpty ? nil : token }
        if change.registered != nil { registered = token == nil ? nil : change.registered }
        if let environment = change.environment { self.environment = environment }
        if let delivery = change.delivery { self.delivery = delivery }
        if let reserved = change.reserved { self.reserved = reserved }
        if let categories = change.categories { self.categories = categories }
        if let quietHours = change.quietHours { self.quietHours = quietHours }
        return (bytes(defaultTimeZone), quietHours ?? .policy) != before
    }

    /// All fields by their bytes: Swift's `String` would take two spellings that Unicode calls equivalent for one. What is
    /// absent counts as its default.
    private func bytes(_ defaultTimeZone: String) -> [[UInt8]?] {
        let texts = [timeZone ?? defaultTimeZone, token, environment, "\(delivery ?? .push)", "\(reserved ?? 0)"]
        return texts.map { $0.map { Array($0.utf8) } } + (categories?.map { Array($0.utf8) } ?? [nil])
    }
}
