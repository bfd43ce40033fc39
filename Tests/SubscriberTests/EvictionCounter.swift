import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing

/// The example of a subscriber in the article Subscribers: who loses slots, by app.
final class EvictionCounter: StoringSubscriber {
    static let name = "eviction-counter"
    static let summary = "Counts evictions by app"
    static let settings: [SettingDescription] = []
    static let kinds: [EventKind] = [.evicted]

    init(settings: [Setting]) throws(SettingFaults) {}

    func prepare(_ database: SQLiteDatabase) throws {
        try database.run("CREATE TABLE IF NOT EXISTS evictions(log TEXT, app TEXT, count INTEGER, UNIQUE(log, app))")
    }

    func store(_ page: EventPage, in database: SQLiteDatabase) throws {
        let add = try database.prepare(
            "INSERT INTO evictions VALUES(?1, ?2, 1) ON CONFLICT DO UPDATE SET count = count + 1")
        for event in page.events { try add.run([.text(page.log), .text(event.app)]) }
    }

    func forget() {}
}
