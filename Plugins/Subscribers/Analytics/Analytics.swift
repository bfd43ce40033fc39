public import RationModel
internal import RationPluginKit
public import RationSQLite
public import RationSubscribing

/// Counts what the broker decides, exactly: after any number of crashes its tables are those of the whole log.
///
/// By hour: events by kind, cause, reason, finality, type and app; how far fire dates lie behind requested ones; how long
/// notifications wait in the queue; and, by folding the events (semantics.md, section 5), how many slots are in use and
/// how many recipients have more than fits. All of it by event log. ``AnalyticsReport`` reads it.
public final class Analytics: StoringSubscriber {
    public static let name = "analytics"
    public static let summary = "Counts evictions, waits and slots in use by hour, for 'ration analytics'"
    public static let settings = [
        SettingDescription(
            "names", "a whole number from 1 to 100000",
            "types, and as well apps, of one event log that are told apart; what comes later counts as 'other'",
            standard: "1000")
    ]
    public static let kinds: [EventKind] = []

    static let namesLimit: ClosedRange<Int64> = 1...100_000

    private var mostNames = 1_000
    private var tables: AnalyticsTables?
    /// The log that the last page was of, as the file has it; nil: to be read.
    private var state: LogState?

    public init(settings: [Setting]) throws(SettingFaults) {
        for setting in settings where setting.name == "names" {
            guard case .wholeNumber(let number) = setting.value, Self.namesLimit.contains(number) else {
                throw SettingFaults([
                    SettingFault(
                        path: "names",
                        "expected a whole number from \(Self.namesLimit.lowerBound) to \(Self.namesLimit.upperBound)")
                ])
            }
            mostNames = Int(number)
        }
    }

    public func prepare(_ database: SQLiteDatabase) throws {
        try AnalyticsTables.make(in: database)
        tables = try AnalyticsTables(database)
    }

    public func store(_ page: EventPage, in database: SQLiteDatabase) throws {
        let tables = try tables ?? AnalyticsTables(database)
        self.tables = tables
        let before = try state.flatMap { $0.name.isSame(as: page.log) ? $0 : nil } ?? tables.log(page.log)
        var fold = PageFold(before, mostNames: mostNames)
        for event in page.events { try fold.add(event, tables) }
        state = try fold.store(in: tables)
    }

    public func forget() {
        state = nil
    }
}
