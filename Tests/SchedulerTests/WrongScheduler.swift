import RationModel
import RationPluginKit

/// A scheduler that does what a test says: a row's notification at the row's instant, unless that changes something.
struct WrongScheduler: Scheduler {
    static let name = "wrong"
    static let summary = "what a test says"
    static let things = FactTable(
        "things", "Things", [FactColumn("thing", .text, "Its name"), FactColumn("at", .instant, "When")])
    static let tables = [things]
    static let settings: [SettingDescription] = []
    var prefixes = ["thing."]
    var types = ["thing"]
    var horizonMilliseconds: Int64 = 5 * Instant.dayMilliseconds
    var change: @Sendable (inout WantedNotifications, RecipientFacts, Instant) -> Void = { _, _, _ in }

    init() {}

    init(settings: [Setting]) throws(SettingFaults) { self.init() }

    func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        wanted.take(facts.tables[0], of: Self.things, distinctBy: 0) { row, wanted throws(FactFault) in
            let id = try Self.things.identifier(row, 0, prefix: "thing.")
            let date = try Self.things.instant(row, 1)
            let notification = WantedNotification(
                id: id, type: "thing", content: WantedContent(title: "Thing"), date: .at(date),
                expires: date.advanced(by: 3_600_000))
            wanted.add(notification, horizonMilliseconds: horizonMilliseconds, now: now)
        }
        change(&wanted, facts, now)
        return wanted
    }
}
