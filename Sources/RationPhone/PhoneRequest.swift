public import RationModel

/// A request to show a notification later, as an app hands it to iOS (UNNotificationRequest).
public struct PhoneRequest: Sendable {
    /// When it is shown.
    public enum Trigger: Sendable {
        /// At once (a nil trigger).
        case now
        /// At a date (UNCalendarNotificationTrigger with all its components).
        case at(Instant)
        /// So many seconds after it was added, and so often again (UNTimeIntervalNotificationTrigger).
        case interval(seconds: Double, repeats: Bool)
        /// When a clock matches (UNCalendarNotificationTrigger); nil: the phone's own clock.
        case calendar(CalendarPattern, zone: ZoneTable?, repeats: Bool)
    }

    public var identifier: String
    public var trigger: Trigger
    /// What is shown, as JSON.
    public var content: [UInt8]
    /// What the app's icon shows from then on; nil: it stays. 0 takes it away.
    public var badge: Int?

    public init(identifier: String, trigger: Trigger, content: [UInt8] = [], badge: Int? = nil) {
        (self.identifier, self.trigger, self.content, self.badge) = (identifier, trigger, content, badge)
    }
}

/// What iOS ends an app for: an exception of Objective-C that Swift cannot catch.
public struct PhoneException: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// An identifier that is empty: a nil one is an exception, an empty one has made the system start anew
        /// (rdar://28610058).
        case emptyIdentifier
        /// An interval that is not greater than 0 ("time interval must be greater than 0").
        case intervalNotPositive
        /// An interval below 60 seconds that repeats ("time interval must be at least 60 if repeating").
        case repeatingIntervalTooShort
        /// A calendar without a component: it has no date.
        case emptyCalendar
    }

    public var reason: Reason
    public var identifier: String

    public var description: String { "'\(identifier)': \(reason)" }
}

extension PhoneRequest {
    /// iOS's shortest repeating interval.
    public static let shortestRepeatSeconds = 60.0

    /// - Throws: what ends the app.
    func check() throws(PhoneException) {
        func refuse(_ reason: PhoneException.Reason) -> PhoneException {
            PhoneException(reason: reason, identifier: identifier)
        }
        guard !identifier.isEmpty else { throw refuse(.emptyIdentifier) }
        switch trigger {
        case .now, .at: break
        case .interval(let seconds, let repeats):
            // Also what is no number is not greater.
            guard seconds > 0 else { throw refuse(.intervalNotPositive) }
            guard !repeats || seconds >= Self.shortestRepeatSeconds else { throw refuse(.repeatingIntervalTooShort) }
        case .calendar(let pattern, _, _):
            guard !pattern.isEmpty else { throw refuse(.emptyCalendar) }
        }
    }

    var repeats: Bool {
        switch trigger {
        case .now, .at: false
        case .interval(_, let repeats), .calendar(_, _, let repeats): repeats
        }
    }
}
