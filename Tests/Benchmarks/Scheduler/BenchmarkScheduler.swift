import RationModel
import RationPluginKit

/// A scheduler that costs little: a notification for each row, so that what runs it is measured.
struct BenchmarkScheduler: Scheduler {
    static let name = "benchmark"
    static let summary = "A notification for each row"
    static let settings: [SettingDescription] = []
    static let tables = [
        FactTable(
            "habits", "habits with their next times",
            [
                FactColumn("habit", .text, "its id"),
                FactColumn("title", .text, "its title"),
                FactColumn("body", .text, "its text"),
                FactColumn("weekdays", .text, "the days"),
                FactColumn("times", .text, "the times"),
                FactColumn("next", .instant, "the next time"),
                FactColumn("paused", .truth, "whether it rests"),
            ])
    ]
    static let query = """
        SELECT app, device, habit, title, body, weekdays, times, next, paused FROM habits ORDER BY app, device
        """

    let prefixes = ["benchmark."]
    let types = ["habit"]

    init() {}

    init(settings: [Setting]) throws(SettingFaults) {}

    func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        for row in facts.tables[0] where !row.truth(6) {
            let date = row.instant(5)
            wanted.notifications.append(
                WantedNotification(
                    id: "benchmark.\(row.text(0))", type: "habit",
                    content: WantedContent(title: row.text(1), body: row.text(2)), date: .at(date),
                    expires: date.advanced(by: 4 * 3_600_000)))
        }
        return wanted
    }
}

/// The scheduler asks for no zone.
struct NoZones: ZoneSource {
    var release: String? { nil }
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { nil }
    func contains(_ name: UnsafeRawBufferPointer) -> Bool { false }
}
