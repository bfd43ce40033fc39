public import RationModel
internal import RationPluginKit
public import RationSQLite
public import RationSubscribing

/// Counts what the broker decides, exactly: after any number of crashes its tables are those of the whole log.
///
/// By hour: events by kind, cause, reason, finality, type and app; how far fire dates lie behind requested ones; how long
/// notifications wait in the queue; and, by folding the events (semantics.md, section 5), how many slots are in use and
/// how many recipients have more than fits; and, by joining feedback with the newest `due` of its id, which part of what was
/// shown was opened. All of it by event log. ``AnalyticsReport`` reads it.
public final class Analytics: StoringSubscriber {
    public static let name = "analytics"
    public static let summary = "Counts evictions, waits and slots in use by hour, for 'ration analytics'"
    public static let settings = [
        SettingDescription(
            "names", "a whole number from 1 to 100000",
            "types, and as well apps, of one event log that are told apart; what comes later counts as 'other'",
            standard: "1000"),
        SettingDescription(
            "openedWithin", "a duration from 1h to 31d",
            "how long after its 'due' feedback about a notification is counted in its open rate", standard: "7d"),
    ]
    public static let kinds: [EventKind] = []

    private let limits: PageFold.Limits
    private var tables: AnalyticsTables?
    /// The log that the last page was of, as the file has it; nil: to be read.
    private var state: LogState?

    public init(settings: [Setting]) throws(SettingFaults) {
        var (limits, reader) = (PageFold.Limits(), SettingReader(settings))
        limits.names = reader.wholeNumber("names", standard: limits.names, in: 1...100_000)
        limits.openMilliseconds = reader.duration(
            "openedWithin", standard: limits.openMilliseconds, in: 3_600_000...31 * 86_400_000)
        try reader.finish()
        self.limits = limits
    }

    public func prepare(_ database: SQLiteDatabase) throws {
        try AnalyticsTables.make(in: database)
        tables = try AnalyticsTables(database)
    }

    public func store(_ page: EventPage, in database: SQLiteDatabase) throws {
        let tables = try tables ?? AnalyticsTables(database)
        self.tables = tables
        let before = try state.flatMap { $0.name.isSame(as: page.log) ? $0 : nil } ?? tables.log(page.log)
        var fold = PageFold(before, limits)
        for event in page.events { try fold.add(event, tables) }
        state = try fold.store(in: tables)
    }

    public func forget() {
        state = nil
    }
}
