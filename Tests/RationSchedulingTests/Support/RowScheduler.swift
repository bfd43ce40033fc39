import RationModel
import RationPluginKit

/// A scheduler whose rows say what is wanted: for tests of what runs it.
struct RowScheduler: Scheduler {
    static let name = "rows"
    static let summary = "What the rows say"
    static let settings: [SettingDescription] = []
    static let tables = [
        FactTable("wanted", "what is wanted", columns),
        FactTable("extra", "what is wanted as well", columns, isOptional: true),
    ]
    private static let columns = [
        FactColumn("id", .text, "its id"),
        FactColumn("at", .instant, "when", isOptional: true),
        FactColumn("wall", .wholeNumber, "when, on the device's clock", isOptional: true),
        FactColumn("expires", .instant, "when it is too late"),
        FactColumn("title", .text, "its title", isOptional: true),
        FactColumn("deliver", .truth, "whether it is delivered late", isOptional: true),
        FactColumn("margin", .wholeNumber, "milliseconds that do not matter", isOptional: true),
        FactColumn("visible", .instant, "from when on it is wanted", isOptional: true),
        FactColumn("score", .number, "its relevance", isOptional: true),
    ]

    let prefixes = ["t."]
    let types = ["test"]

    init() {}

    init(settings: [Setting]) throws(SettingFaults) {}

    func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        for (table, rows) in zip(Self.tables, facts.tables) {
            for row in rows {
                if !row.isNull(7), row.instant(7) > now {
                    wanted.nextChange = min(wanted.nextChange ?? row.instant(7), row.instant(7))
                } else if row.isNull(1), row.isNull(2) {
                    wanted.faults.append(FactFault(table: table.name, row: row.number, column: "at", "expected a date"))
                } else {
                    wanted.notifications.append(Self.notification(row))
                }
            }
        }
        return wanted
    }

    private static func notification(_ row: FactRow) -> WantedNotification {
        var content = WantedContent(title: row.isNull(4) ? "T" : row.text(4))
        if !row.isNull(8) { content.relevanceScore = row.number(8) }
        var notification = WantedNotification(
            id: row.text(0), type: "test", content: content,
            date: row.isNull(1) ? .wall(row.wholeNumber(2)) : .at(row.instant(1)), expires: row.instant(3))
        if !row.isNull(5), row.truth(5) { notification.overdue = .deliver }
        if !row.isNull(6) { notification.marginMilliseconds = row.wholeNumber(6) }
        return notification
    }
}

/// No zones: this scheduler asks for none.
struct NoZones: ZoneSource {
    var release: String? { nil }
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { nil }
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { false }
}
