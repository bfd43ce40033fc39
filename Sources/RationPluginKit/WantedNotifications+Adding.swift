public import RationModel

extension WantedNotifications {
    /// Notifications of one recipient that are wanted at once: the broker's standard queue holds no more.
    public static let limit = 1024

    /// Notes that something changes at an instant: the earliest that is after now counts.
    @inlinable
    public mutating func changes(at instant: Instant, after now: Instant) {
        guard instant > now, nextChange.map({ instant < $0 }) ?? true else { return }
        nextChange = instant
    }

    /// Adds one that is wanted from a while before its date until it expires.
    /// - Parameter horizonMilliseconds: the while.
    public mutating func add(_ notification: WantedNotification, horizonMilliseconds: Int64, now: Instant) {
        let earliest = RecipientClock.instants(of: notification.date).lowerBound
        let begin = earliest.advanced(by: -horizonMilliseconds)
        guard notification.expires > now else { return }
        if begin <= now { notifications.append(notification) } else { changes(at: begin, after: now) }
    }
}
