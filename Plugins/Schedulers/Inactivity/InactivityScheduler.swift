public import RationModel
public import RationPluginKit

/// Nudges some days after the last visit, at the hour at which the user usually comes. Each visit pushes all of them away.
public struct InactivityScheduler: Scheduler {
    public static let name = "inactivity"
    public static let summary =
        "nudges 3, 7, 14 and 30 days after the last visit, at the hour at which the user usually comes"

    /// What is said after so many days.
    struct Nudge: Hashable, Sendable {
        var days: Int
        var content: WantedContent
    }

    let nudges: [Nudge]
    let countedVisits: Int
    let enoughVisits: Int
    let defaultHour: Int
    let marginMilliseconds: Int64
    let expiresMilliseconds: Int64
    let prefix: String
    let type: String
    let timeZone: String

    public static let tables = [visits]

    static let visits = FactTable(
        "visits", "The visits of a user: a row of a visit; the latest are enough",
        [
            FactColumn("visitedAt", .instant, "When"),
            FactColumn(
                "timeZone", .text, "Where; null: as at the latest visit that says so, else the setting's",
                isOptional: true),
        ])

    public init(settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        let day = Instant.dayMilliseconds
        countedVisits = reader.wholeNumber("visits", standard: 20, in: 1...100)
        enoughVisits = reader.wholeNumber("enough", standard: 3, in: 1...100)
        defaultHour = reader.timeOfDay("defaultHour", standard: 18 * 60)
        marginMilliseconds = reader.duration("margin", standard: 30 * 60_000, in: 0...day)
        expiresMilliseconds = reader.duration("expires", standard: day, in: 60_000...30 * day)
        prefix = reader.prefix(standard: "com.myapp.inactivityReminder.")
        type = reader.type(standard: "inactivity")
        timeZone = reader.timeZone(standard: "UTC")
        nudges = Nudge.read(&reader)
        if enoughVisits > countedVisits {
            reader.fault("enough", "expected at most the number of visits, \(countedVisits), found \(enoughVisits)")
        }
        try reader.finish()
    }

    public var prefixes: [String] { [prefix] }

    public var types: [String] { [type] }

    public func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        let visits = latest(facts.tables[0], now, zones, &wanted)
        guard let last = visits.first else { return wanted }
        do throws(FactFault) {
            let zone = try zone(of: visits, last.row, zones)
            let lastDay = zone.dayAndMinute(at: last.instant).day
            let hour = usualMinute(visits, zone)
            for nudge in nudges {
                let date = zone.instant(day: lastDay + Int64(nudge.days), minute: hour)
                wanted.add(
                    notification(nudge, at: date), horizonMilliseconds: Self.horizonMilliseconds, now: now)
            }
        } catch {
            wanted.faults.append(error)
        }
        return wanted
    }

    /// Further than any nudge after a visit.
    private static let horizonMilliseconds: Int64 = 400 * 86_400_000

    /// Where the user is: at the latest visit that says so.
    private func zone(
        of visits: [Visit], _ row: FactRow, _ zones: any ZoneSource
    ) throws(FactFault) -> ZoneTable {
        for visit in visits { if let zone = visit.zone { return zone } }
        guard let zone = zones.zone(named: timeZone) else {
            throw Self.visits.fault(
                row, 1, "expected a setting 'timeZone' that the tz database knows, found '\(timeZone)'")
        }
        return zone
    }

    /// The minute of the day at which the user usually comes.
    private func usualMinute(_ visits: [Visit], _ zone: ZoneTable) -> Int {
        guard visits.count >= enoughVisits else { return defaultHour }
        let minutes = visits.map { ($0.zone ?? zone).dayAndMinute(at: $0.instant).minute }
        return CircularMedian.minute(of: minutes) ?? defaultHour
    }

    private func notification(_ nudge: Nudge, at date: Instant) -> WantedNotification {
        var notification = WantedNotification(
            id: "\(prefix)\(nudge.days)", type: type, content: nudge.content, date: .at(date),
            expires: date.advanced(by: expiresMilliseconds))
        notification.marginMilliseconds = marginMilliseconds
        return notification
    }
}
