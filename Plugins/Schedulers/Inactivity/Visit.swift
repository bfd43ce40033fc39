import RationModel
import RationPluginKit

/// A visit, and where it was.
struct Visit {
    var instant: Instant
    /// nil: not told.
    var zone: ZoneTable?
    var row: FactRow
}

extension InactivityScheduler {
    /// The latest visits, the last one first, less those that cannot be used or lie ahead.
    func latest(
        _ rows: [FactRow], _ now: Instant, _ zones: any ZoneSource, _ wanted: inout WantedNotifications
    ) -> [Visit] {
        var visits: [Visit] = []
        let latestFirst = rows.sorted { left, right in
            let (mine, theirs) = (left.instant(0), right.instant(0))
            return mine != theirs ? mine > theirs : right.precedes(left)
        }
        for row in latestFirst where visits.count < countedVisits {
            do throws(FactFault) {
                visits.append(try visit(row, now, zones, &wanted))
            } catch {
                wanted.faults.append(error)
            }
        }
        return visits
    }

    private func visit(
        _ row: FactRow, _ now: Instant, _ zones: any ZoneSource, _ wanted: inout WantedNotifications
    ) throws(FactFault) -> Visit {
        let instant = try Self.visits.instant(row, 0)
        guard instant <= now else {
            wanted.changes(at: instant, after: now)
            throw Self.visits.fault(row, 0, "expected a visit before now, found \(instant.rfc3339)")
        }
        var visit = Visit(instant: instant, zone: nil, row: row)
        if case .zone(let zone) = try Self.visits.clock(row, 1, standard: nil, in: zones) { visit.zone = zone }
        return visit
    }
}

/// The middle of times of the day, which lie on a circle.
enum CircularMedian {
    /// Of the given minutes, the one from which all together lie least far, the way around midnight where that is shorter: no
    /// minute of the day lies nearer. Of several the earliest.
    ///
    /// The sum of the distances is linear between the given minutes and those opposite to them, and bends upwards only at the
    /// given ones: one of them has the least sum.
    /// - Parameter minutes: 0–1439.
    /// - Returns: nil of none.
    /// - Complexity: quadratic.
    static func minute(of minutes: [Int]) -> Int? {
        minutes.map { minute in (sum: minutes.reduce(0) { $0 + distance($1, minute) }, minute: minute) }
            .min { ($0.sum, $0.minute) < ($1.sum, $1.minute) }?.minute
    }

    static func distance(_ left: Int, _ right: Int) -> Int {
        let direct = abs(left - right)
        return min(direct, TimeOfDay.minutesPerDay - direct)
    }
}
