/// What a scheduler's runner is told by its configuration.
public struct SchedulerOptions: Hashable, Sendable {
    /// The process's name, and its publisher's: 1 to 64 bytes that no other client of the broker uses.
    public var name: String
    /// The SQLite file that the facts are read from.
    public var facts: String
    /// The SQLite file of the scheduler's own.
    public var state: String
    /// SQL by the name of the plugin's table.
    public var queries: [String: String]
    /// The broker's endpoints.
    public var intentsEndpoint: String
    public var queriesEndpoint: String

    /// The time from one run to the next, when nothing asks for one before.
    public var everyMilliseconds: Int64 = 60_000
    /// How long what was evicted or rejected is left alone before it is published again.
    public var retryMilliseconds: Int64 = 3_600_000
    /// The shortest time from one run's end to the next one's beginning.
    public var gapMilliseconds: Int64 = 1_000
    /// How long the facts file has to stay as it is before a change leads to a run, and how long a run waits at most when
    /// it never does.
    public var settleMilliseconds: Int64 = 200
    public var settleMostMilliseconds: Int64 = 2_000
    /// How long the facts stay open for reading at a time: their writers may have to wait as long. A run that takes longer
    /// opens them anew and goes on with what has not been looked at.
    public var readingMilliseconds: Int64 = 2_000
    /// How long a run that has the facts open waits for a broker that has too many requests without an answer.
    public var roomMilliseconds: Int64 = 500

    public init(
        name: String, facts: String, state: String, queries: [String: String], intentsEndpoint: String,
        queriesEndpoint: String
    ) {
        (self.name, self.facts, self.state, self.queries) = (name, facts, state, queries)
        (self.intentsEndpoint, self.queriesEndpoint) = (intentsEndpoint, queriesEndpoint)
    }
}

/// The limits of a runner, each named once.
public enum SchedulerLimits {
    /// Notifications that one recipient may have wanted at once: the soonest.
    public static let wantedPerRecipient = 1_024
    /// Rows of all tables, and their bytes, that count for one recipient.
    public static let rowsPerRecipient = 20_000
    public static let rowBytesPerRecipient = 16 << 20
    /// Rows beyond these that are passed over before the query is taken for a mistake.
    public static let omittedRows = 1_000_000
    /// Lines about single rows, rejections and warnings that one run tells; the others are counted.
    public static let toldPerRun = 12
    /// How long a recipient without facts is remembered, for a broker that is restored from an older copy: 30 days.
    public static let departedMilliseconds: Int64 = 30 * 86_400_000
}
