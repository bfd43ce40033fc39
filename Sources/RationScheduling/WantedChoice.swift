internal import RationModel
internal import RationPluginKit

/// Those of a recipient's wanted notifications that can be published: each id once, no more than the limit, the soonest.
struct WantedChoice {
    private(set) var notifications: [WantedNotification] = []
    private(set) var leftOut = 0
    var faults: [String] = []
    /// When others take the place of those that have gone.
    private(set) var nextChange: Instant?

    init(_ wanted: [WantedNotification]) {
        var ids: Set<[UInt8]> = []
        notifications.reserveCapacity(wanted.count)
        for notification in wanted {
            if let fault = notification.fault {
                leave("'\(notification.id.prefix(80))' cannot be published: \(fault)")
            } else if !ids.insert(Array(notification.id.utf8)).inserted {
                leave("'\(notification.id)' is wanted twice; the first counts")
            } else {
                notifications.append(notification)
            }
        }
        let limit = SchedulerLimits.wantedPerRecipient
        guard notifications.count > limit else { return }
        notifications.sort { Self.isSooner($0, $1) }
        let others = notifications.count - limit
        notifications.removeLast(others)
        leftOut += others
        faults.append("\(others + limit) notifications are wanted; the soonest \(limit) count")
        nextChange = notifications.map(\.expires).min()
    }

    private mutating func leave(_ fault: String) {
        leftOut += 1
        faults.append(fault)
    }

    private static func isSooner(_ left: WantedNotification, _ right: WantedNotification) -> Bool {
        let (leftDate, rightDate) = (left.date.latest, right.date.latest)
        guard leftDate == rightDate else { return leftDate < rightDate }
        return left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
    }
}
