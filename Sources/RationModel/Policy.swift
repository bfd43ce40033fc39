/// The document that decides who gets a slot (semantics.md section 3), with its defaults. Durations are milliseconds.
public struct Policy: Hashable, Sendable {
    /// What happens to those that find no slot.
    public enum Overflow: String, CaseIterable, Sendable {
        case queue, drop
    }

    /// What becomes of an intent with a category that its app has not declared (semantics.md section 6).
    public enum UndeclaredCategories: String, CaseIterable, Sendable {
        /// It is rejected.
        case reject
        /// It is taken, and its acknowledgement carries a warning.
        case warn
        /// Categories are not looked at.
        case ignore
    }

    /// Slots of an installation; iOS keeps 64.
    public var slots = 64
    public var overflow = Overflow.queue
    /// The name of the order among the pending, a plugin's.
    public var order = "soonest"
    /// How many may wait for a slot.
    public var queueLimit = 1024
    /// How late one may still fire.
    public var graceMilliseconds: Int64 = 3_600_000
    /// How far one may be moved from its requested date; nil: without limit.
    public var maxDelayMilliseconds: Int64?
    /// The priority of a type that the policy gives none.
    public var unknownPriority = 99
    /// The zone of a device that has told none.
    public var timeZone = "UTC"
    public var categories = UndeclaredCategories.warn
    /// The named types, sorted by the bytes of their names.
    public private(set) var types: [NotificationType] = []
    public var quietHours: [QuietWindow] = []
    public var caps: [Cap] = []
    /// Sorted by the bytes of the types' names.
    public private(set) var quotas: [Quota] = []

    public init() {}

    /// Names the types, in any order; they are kept sorted by name.
    public mutating func setTypes(_ types: [NotificationType]) {
        self.types = types.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Sets the quotas, in any order; they are kept sorted by type.
    public mutating func setQuotas(_ quotas: [Quota]) {
        self.quotas = quotas.sorted { $0.type.utf8.lexicographicallyPrecedes($1.type.utf8) }
    }
}

/// What a policy says of one type of notification.
public struct NotificationType: Hashable, Sendable {
    public var name: String
    /// 0 is kept longest; nil: the policy's `unknownPriority`.
    public var priority: Int?
    /// Ids that begin so are of this type when the intent names none.
    public var prefixes: [String] = []
    /// Bound by neither quiet hours nor caps.
    public var keepsTime = false
    /// The type's own limit on being moved; nil: the policy's.
    public var maxDelayMilliseconds: Int64?

    public init(name: String) {
        self.name = name
    }
}
