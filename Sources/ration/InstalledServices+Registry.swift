import RationConfiguration
import RationModel
import RationPluginKit

extension InstalledServices {
    /// The schedulers and subscribers of a registry, as configurations are checked against them.
    init(_ registry: PluginRegistry) {
        self.init(
            schedulers: registry.schedulers.map(InstalledPlugin.init(scheduler:)),
            subscribers: registry.subscribers.map(InstalledPlugin.init(subscriber:)))
    }
}

extension InstalledPlugin {
    init(scheduler: any Scheduler.Type) {
        self.init(
            name: scheduler.name,
            tables: scheduler.tables.map { Table($0.name, isOptional: $0.isOptional) },
            settings: scheduler.settings
        ) { settings in
            Self.faults { () throws(SettingFaults) in _ = try scheduler.init(settings: settings) }
        }
    }

    init(subscriber: any Subscriber.Type) {
        self.init(name: subscriber.name, settings: subscriber.settings) { settings in
            Self.faults { () throws(SettingFaults) in _ = try subscriber.init(settings: settings) }
        }
    }

    private static func faults(_ attempt: () throws(SettingFaults) -> Void) -> [SettingFault] {
        do {
            try attempt()
            return []
        } catch {
            return error.faults
        }
    }
}
