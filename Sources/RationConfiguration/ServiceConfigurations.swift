public import RationModel

/// One scheduler of a deployment: a process of its own.
public struct SchedulerConfiguration: Hashable, Sendable {
    /// The process's name; also its publisher's.
    public var name: String
    /// The plugin's name; the process's, unless another is given.
    public var plugin: String
    /// The SQLite file that the facts are read from.
    public var facts: String
    /// The SQLite file of the scheduler's own.
    public var state: String
    /// The time from one run to the next, when nothing asks for one before.
    public var everyMilliseconds: Int64 = 60_000
    /// How long what was evicted or rejected is left alone before it is published again.
    public var retryMilliseconds: Int64 = 3_600_000
    /// SQL by the name of the plugin's table.
    public var queries: [String: String] = [:]
    public var settings: [Setting] = []

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
    /// The SQLite file that holds its cursor, and its output if that is stored with it.
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
    public var settings: [Setting] = []

    public init(name: String, plugin: String, data: String) {
        (self.name, self.plugin, self.data) = (name, plugin, data)
    }
}

/// One more process of a deployment: any command.
public struct ProcessConfiguration: Hashable, Sendable {
    public var name: String
    /// The program and its arguments; `ration` is the running command itself.
    public var command: [String]

    public init(name: String, command: [String]) {
        (self.name, self.command) = (name, command)
    }
}
