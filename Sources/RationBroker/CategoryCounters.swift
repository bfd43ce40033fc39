import RationModel

/// Intents whose category did not fit, since the broker started: in all and by app.
struct CategoryCounters: Sendable {
    struct Counts: Sendable {
        /// Categories that the app has not declared, whether that was rejected or warned of.
        var undeclared = 0
        /// Categories that the device has not registered.
        var unregistered = 0

        mutating func add(_ kind: IntentWarning.Kind) {
            switch kind {
            case .undeclaredCategory: undeclared += 1
            case .unregisteredCategory: unregistered += 1
            }
        }
    }

    private(set) var all = Counts()
    private var byApp: [String: Counts] = [:]

    /// By app, as many as `Limits.countedApps`; in the order of their names, which are plain ASCII.
    var apps: [(app: String, counts: Counts)] {
        byApp.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) }
    }

    mutating func add(_ kind: IntentWarning.Kind, app: String) {
        all.add(kind)
        guard byApp[app] != nil || byApp.count < Limits.countedApps else { return }
        byApp[app, default: Counts()].add(kind)
    }
}
