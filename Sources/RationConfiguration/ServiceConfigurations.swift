public import RationModel

/// One scheduler of a deployment: a process of its own.
public struct SchedulerConfiguration: Hashable, Sendable {
    /// The process's name; also its publisher's. Those of all sections are distinct.
    public var name: String
    /// The plugin's name; the process's, unless another is given.
    public var plugin: String
    /// The SQLite file that the facts are read from.
    public var facts: String
    /// The SQLite file of the scheduler's own; `NAME.db` in the broker's data folder, unless another is given.
    public var state: String
    /// The time from one run to the next, when nothing asks for one before.
    public var everyMilliseconds: Int64 = 60_000
    /// How long what was evicted or rejected is left alone before it is published again.
    public var retryMilliseconds: Int64 = 3_600_000
    /// SQL by the name of the plugin's table.
    public var queries: [String: String] = [:]
    /// The plugin's own, in the order of the document.
    public var settings: [Setting] = []

    /// The keys of its section that are not the plugin's settings.
    public static let keys = ["plugin", "facts", "state", "every", "retry", "queries"]
    public static let everyRangeMilliseconds: ClosedRange<Int64> = 100...86_400_000
    public static let retryRangeMilliseconds: ClosedRange<Int64> = 100...30 * 86_400_000

    public init(name: String, plugin: String, facts: String, state: String) {
        (self.name, self.plugin, self.facts, self.state) = (name, plugin, facts, state)
    }
}

/// One subscriber of a deployment: a process of its own.
public struct SubscriberConfiguration: Hashable, Sendable {
    /// The process's name.
    public var name: String
    /// The plugin's name; the process's, unless another is given.
    public var plugin: String
    /// The SQLite file that holds its cursor, and its output if that is stored with it; `NAME.db` in the broker's data
    /// folder, unless another is given.
    public var data: String
    /// Which events it gets; empty lists want all.
    public var apps: [String] = []
    public var types: [String] = []
    /// Events that are handed over at once.
    public var pageEvents = 10_000
    /// Tries before an event that fails is set aside.
    public var tries = 5
    /// Where its metrics and health are told over HTTP; nil: nowhere.
    public var http: HTTPAddress?
    /// The plugin's own, in the order of the document.
    public var settings: [Setting] = []

    /// The keys of its section that are not the plugin's settings.
    public static let keys = ["plugin", "data", "apps", "types", "page", "tries", "http"]
    /// At most what one answer of the broker holds (wire.md, "Reading the log").
    public static let pageRange = 1...10_000
    public static let triesRange = 1...1_000
    /// Names in a list of `apps` or `types`, as the broker takes them.
    public static let filterLimit = 256

    public init(name: String, plugin: String, data: String) {
        (self.name, self.plugin, self.data) = (name, plugin, data)
    }
}

/// One more process of a deployment: any command.
public struct ProcessConfiguration: Hashable, Sendable {
    public var name: String
    /// The program and its arguments; `ration` is the running command itself. A program with a slash in its path starts at
    /// the configuration's folder, any other is looked for in `PATH`.
    public var command: [String]

    static let keys = ["command"]
    /// What stands for the running command.
    public static let ownProgram = "ration"

    public init(name: String, command: [String]) {
        (self.name, self.command) = (name, command)
    }
}
