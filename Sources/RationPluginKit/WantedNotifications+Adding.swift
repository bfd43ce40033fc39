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

extension WantedNotifications {
    /// Takes the rows of a table that has one of each name: in an order that no query decides, and of several of a name the
    /// first that can be used. The faults of the others are noted.
    /// - Parameters:
    ///   - column: the text that names a row.
    ///   - add: adds what the row asks for, or throws before it adds anything.
    public mutating func take(
        _ rows: [FactRow], of table: FactTable, distinctBy column: Int,
        _ add: (FactRow, inout WantedNotifications) throws(FactFault) -> Void
    ) {
        var known: Set<[UInt8]> = []
        for row in rows.sorted(by: { $0.precedes($1) }) {
            do throws(FactFault) {
                let name = Array(row.text(column).utf8)
                guard !known.contains(name) else {
                    throw table.fault(row, column, "expected one row of each, found another")
                }
                try add(row, &self)
                known.insert(name)
            } catch {
                faults.append(error)
            }
        }
    }
}
