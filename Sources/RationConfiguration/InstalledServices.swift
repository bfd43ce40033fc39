public import RationModel

/// A scheduler or subscriber that a program is built with, as far as a configuration is concerned.
public struct InstalledPlugin: Sendable {
    /// A query that a configuration gives.
    public struct Table: Hashable, Sendable {
        public var name: String
        /// Whether the configuration may leave it out.
        public var isOptional: Bool

        public init(_ name: String, isOptional: Bool) {
            (self.name, self.isOptional) = (name, isOptional)
        }
    }

    /// The name by which a configuration chooses it.
    public var name: String
    /// A subscriber has none.
    public var tables: [Table]
    public var settings: [SettingDescription]
    /// What the plugin says of settings whose names it knows; nothing when it takes them.
    public var faults: @Sendable ([Setting]) -> [SettingFault]

    public init(
        name: String, tables: [Table] = [], settings: [SettingDescription],
        faults: @escaping @Sendable ([Setting]) -> [SettingFault]
    ) {
        (self.name, self.tables) = (name, tables)
        (self.settings, self.faults) = (settings, faults)
    }
}

/// What the sections `schedulers` and `subscribers` are checked against.
public struct InstalledServices: Sendable {
    public let schedulers: [InstalledPlugin]
    public let subscribers: [InstalledPlugin]

    /// No plugin's setting has the name of a key that stands beside it.
    public init(schedulers: [InstalledPlugin], subscribers: [InstalledPlugin]) {
        Self.check(schedulers, beside: SchedulerConfiguration.keys)
        Self.check(subscribers, beside: SubscriberConfiguration.keys)
        (self.schedulers, self.subscribers) = (schedulers, subscribers)
    }

    private static func check(_ plugins: [InstalledPlugin], beside keys: [String]) {
        for plugin in plugins {
            let taken = plugin.settings.map(\.name).filter(keys.contains)
            precondition(taken.isEmpty, "\(plugin.name) has settings with names of the section's own: \(taken)")
        }
    }
}
