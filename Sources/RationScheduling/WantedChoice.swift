internal import RationModel
internal import RationPluginKit

/// Those of a recipient's wanted notifications that can be published: each id once, no more than the limit, the soonest.
struct WantedChoice {
    private(set) var notifications: [WantedNotification]
    /// The places of those that count, by rising bytes of the ids.
    private(set) var order: [Int] = []
    private(set) var leftOut = 0
    var faults: [String] = []
    /// When others take the place of those that have gone.
    private(set) var nextChange: Instant?

    init(_ wanted: [WantedNotification]) {
        notifications = wanted
        order.reserveCapacity(wanted.count)
        for index in wanted.indices {
            if let fault = notifications[index].fault {
                leave("'\(notifications[index].id.prefix(80))' cannot be published: \(fault)")
            } else {
                order.append(index)
            }
        }
        sortByID()
        leaveRepeated()
        if order.count > SchedulerLimits.wantedPerRecipient { leaveLatest() }
    }

    private mutating func leave(_ fault: String) {
        leftOut += 1
        faults.append(fault)
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        notifications[left].id.utf8.lexicographicallyPrecedes(notifications[right].id.utf8)
    }

    private mutating func sortByID() {
        let isSorted = zip(order, order.dropFirst()).allSatisfy { !precedes($1, $0) }
        // Of equal ids the first stays the first.
        if !isSorted { order = order.sorted { precedes($0, $1) || (!precedes($1, $0) && $0 < $1) } }
    }

    private mutating func leaveRepeated() {
        let repeated = zip(order, order.dropFirst()).filter { !precedes($0, $1) }.map(\.1)
        guard !repeated.isEmpty else { return }
        for index in repeated { leave("'\(notifications[index].id)' is wanted twice; the first counts") }
        order.removeAll { repeated.contains($0) }
    }

    private mutating func leaveLatest() {
        let limit = SchedulerLimits.wantedPerRecipient
        let others = order.count - limit
        let dates = notifications.map(\.date.latest)
        // A stable sort: of one date, by id.
        order = Array(order.sorted { dates[$0] < dates[$1] }.prefix(limit))
        sortByID()
        leftOut += others
        faults.append("\(others + limit) notifications are wanted; the soonest \(limit) count")
        nextChange = order.map { notifications[$0].expires }.min()
    }
}
