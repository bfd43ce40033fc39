internal import RationJSON
public import RationModel
public import RationWire

/// One notification as a phone schedules it by itself: one pending request of iOS.
public struct PhoneNotification: Hashable, Sendable {
    /// When the phone shows it.
    public enum Trigger: Hashable, Sendable {
        /// Once.
        case at(Instant)
        /// Whenever a clock matches: that of a zone, or the phone's own. The phone needs no word of Ration for it.
        case calendar(CalendarPattern, timeZone: String?)
    }

    public var id: String
    public var trigger: Trigger
    /// When Ration has it fire next.
    public var fireDate: Instant
    /// Canonical JSON, as intents have it.
    public var content: [UInt8]

    public init(id: String, trigger: Trigger, fireDate: Instant, content: [UInt8]) {
        (self.id, self.trigger, self.fireDate, self.content) = (id, trigger, fireDate, content)
    }

    /// - Parameter told: what the broker says of it.
    public init(_ told: ToldHolding.Notification) {
        self.init(id: told.id, trigger: Self.trigger(told), fireDate: told.fireDate, content: told.content)
    }

    /// What comes again goes on without a word only where iOS can keep its time: by a calendar, for ever. An interval of a
    /// minute, an hour, a day or a week is a calendar of UTC. iOS counts any other interval from when it was added, and ends
    /// nothing at a date: of these the phone has the next date, and gets another with the next revision.
    private static func trigger(_ told: ToldHolding.Notification) -> Trigger {
        switch told.repetition {
        case .calendar(let pattern, let timeZone) where told.expires == nil:
            return .calendar(pattern.completed, timeZone: timeZone.isEmpty ? nil : timeZone)
        case .interval(let milliseconds) where told.expires == nil:
            return CalendarPattern(every: milliseconds, from: told.fireDate).map { .calendar($0, timeZone: "UTC") }
                ?? .at(told.fireDate)
        case .never, .calendar, .interval: return .at(told.fireDate)
        }
    }
}

extension CalendarPattern {
    /// With what smaller components are taken for (semantics.md section 2), so that nothing is left to iOS.
    fileprivate var completed: CalendarPattern {
        var pattern = self
        if namesDate, hour < 0 { pattern.hour = 0 }
        if pattern.hour >= 0, minute < 0 { pattern.minute = 0 }
        if pattern.minute >= 0, second < 0 { pattern.second = 0 }
        return pattern
    }

    /// The pattern of UTC that an instant begins, if there is one of that distance.
    fileprivate init?(every milliseconds: Int64, from instant: Instant) {
        self.init()
        let (day, time) = Instant.split(wall: instant.milliseconds)
        let seconds = time / 1_000
        second = Int16(seconds % 60)
        switch milliseconds {
        case 60_000: return
        case 3_600_000: minute = Int16(seconds / 60 % 60)
        case Instant.dayMilliseconds, 7 * Instant.dayMilliseconds:
            (minute, hour) = (Int16(seconds / 60 % 60), Int16(seconds / 3_600))
            // 1970-01-01 was a Thursday, the fifth day.
            if milliseconds > Instant.dayMilliseconds { weekday = Int16((day % 7 + 7 + 4) % 7 + 1) }
        default: return nil
        }
    }
}

/// Finds what a phone can show by itself.
public struct PhoneNotificationReader: ~Copyable {
    private var parser = JSONParser()

    public init() {}

    /// - Returns: what the phone schedules, in the order in which it is held; nothing for a device that gets pushes. What wakes
    ///   an app, a live activity and a broadcast are left out: a phone cannot give them to itself.
    /// - Throws: for a content that is no JSON, which no broker sends.
    public mutating func notifications(_ holding: ToldHolding) throws -> [PhoneNotification] {
        guard holding.delivery == .local else { return [] }
        return try holding.held.filter { try isShown($0.content) }.map(PhoneNotification.init)
    }

    private mutating func isShown(_ content: [UInt8]) throws -> Bool {
        let kind = try parser.parse(content)["kind"]?.text
        return kind == nil || kind == "\(PushKind.alert.name)"
    }
}
