import RationModel
import RationPluginKit
import RationSQLite
import RationSubscribing

/// What a test's subscriber does with an event before it counts it.
typealias Reaction = (ReceivedEvent) throws -> Void

struct Poison: Error, CustomStringConvertible {
    let description = "this event is poison"
}

/// The process ends here: the test drops everything and starts anew.
struct Death: Error {}

/// Stores the sequence of each event.
final class Storing: StoringSubscriber {
    static let name = "storing"
    static let summary = "stores sequences"
    static let settings: [SettingDescription] = []
    static let kinds: [EventKind] = []

    var react: Reaction = { _ in }
    /// The pages that were handed over, stored or not.
    private(set) var pages: [[UInt64]] = []
    private(set) var forgotten = 0

    init(settings: [Setting]) throws(SettingFaults) {}

    func prepare(_ database: SQLiteDatabase) throws {
        try database.run("CREATE TABLE IF NOT EXISTS seen(log TEXT, sequence INTEGER)")
    }

    func store(_ page: EventPage, in database: SQLiteDatabase) throws {
        pages.append(page.events.map(\.sequence))
        for event in page.events {
            try database.run(
                "INSERT INTO seen VALUES(?1, ?2)", [.text(page.log), .integer(Int64(event.sequence))])
            try react(event)
        }
    }

    func forget() {
        forgotten += 1
    }
}

/// Commits by itself, in memory.
final class Committing: CommittingSubscriber {
    static let name = "committing"
    static let summary = "remembers sequences"
    static let settings: [SettingDescription] = []
    static let kinds: [EventKind] = []

    var react: Reaction = { _ in }
    private(set) var pages: [[UInt64]] = []

    init(settings: [Setting]) throws(SettingFaults) {}

    func handle(_ page: EventPage) throws {
        pages.append(page.events.map(\.sequence))
        for event in page.events { try react(event) }
    }
}

/// Tells somebody something, a piece in each turn of work.
final class Telling: WorkingSubscriber {
    struct Meter: SubscriberMeter {
        let metrics = ""
    }

    static let name = "telling"
    static let summary = "tells in pieces"
    static let settings: [SettingDescription] = []
    static let kinds: [EventKind] = []

    let meter: any SubscriberMeter = Meter()
    let hasAdvanced = false
    var untold = 0
    private(set) var turns = 0
    var isTelling: Bool { untold > 0 }
    /// Thrown by the next turn.
    var fault: (any Error)?

    init(settings: [Setting]) throws(SettingFaults) {}
    func prepare(_ database: SQLiteDatabase) throws {}
    func store(_ page: EventPage, in database: SQLiteDatabase) throws {}
    func forget() {}
    func start(_ surroundings: SubscriberSurroundings) throws {}

    func work(in database: SQLiteDatabase) throws -> Int64? {
        turns += 1
        if let fault {
            self.fault = nil
            throw fault
        }
        untold = max(0, untold - 1)
        return untold > 0 ? 20 : nil
    }
}
