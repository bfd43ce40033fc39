public import RationModel

/// What a scheduler wants for one recipient.
public struct WantedNotifications: Hashable, Sendable {
    /// In any order; ids are distinct. Those whose date has come stay wanted until they expire, as a cap or quiet hours may
    /// have moved them: what is wanted no more is cancelled.
    public var notifications: [WantedNotification] = []
    /// Rows that were left out.
    public var faults: [FactFault] = []
    /// The first instant after now at which, with the same facts, something else is wanted than what is wanted now, less what
    /// has come; nil: never. It may be too early, never too late.
    public var nextChange: Instant?

    public init() {}
}

/// A notification that should be pending.
public struct WantedNotification: Hashable, Sendable {
    /// Stable from run to run; begins with one of the scheduler's prefixes.
    public var id: String
    public var type: String
    public var content: WantedContent
    public var date: WantedDate
    /// When it must no longer be shown; after `date`.
    public var expires: Instant
    /// `deliver`: it is published also when its date has passed, and fires at once.
    public var overdue = Overdue.drop
    /// One that is pending, or that has fired, stays as it is if its date and its `expires` lie within so many milliseconds of
    /// these and nothing else about it differs.
    public var marginMilliseconds: Int64 = 0

    public init(id: String, type: String, content: WantedContent, date: WantedDate, expires: Instant) {
        (self.id, self.type, self.content) = (id, type, content)
        (self.date, self.expires) = (date, expires)
    }
}

/// When a notification is wanted.
public enum WantedDate: Hashable, Sendable {
    case at(Instant)
    /// On the clock of the recipient's device, wherever it is: milliseconds since 1970-01-01T00:00:00 on that clock, whole
    /// seconds.
    case wall(Int64)
}

/// What a notification shows (semantics.md section 2); empty texts are left out.
public struct WantedContent: Hashable, Sendable {
    public var title: String
    public var subtitle = ""
    public var body: String
    public var category = ""
    public var threadId = ""
    public var sound = ""
    public var interruptionLevel = InterruptionLevel.active
    public var relevanceScore: Double?
    /// Texts by name, for the app.
    public var userInfo: [String: String] = [:]

    public init(title: String, body: String = "") {
        (self.title, self.body) = (title, body)
    }
}
