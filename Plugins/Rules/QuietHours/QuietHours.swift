public import RationModel
public import RationPlanner

/// The quiet hours of a policy or a device: no bound notification fires while the recipient's wall clock lies in one of
/// the windows (semantics.md section 3, "Quiet hours").
public struct QuietHours: Rule {
    public let path = "quietHours"
    private let windows: [Window]
    private let weeks: [Week]
    /// By `type · 4 + level`, the unnamed type last: the place of its week; -1 for one that no window binds.
    private let places: [Int32]
    /// The same for types that a device's windows name and the policy does not, by name.
    private let ownPlaces: [[UInt8]: [Int32]]

    /// A window with its types by their names' bytes.
    private struct Window {
        var window: QuietWindow
        var types: Set<[UInt8]>?

        init(_ window: QuietWindow) {
            self.window = window
            types = window.types.map { Set($0.map { Array($0.utf8) }) }
        }
    }

    /// - Parameters:
    ///   - windows: at most 64.
    ///   - types: the places of the policy's types.
    public init(_ windows: [QuietWindow], types: PolicyTypes) {
        self.windows = windows.map(Window.init)
        var weeks = Weeks(windows: self.windows)
        var places: [Int32] = []
        for type in 0..<TypeIndex(truncatingIfNeeded: types.count) {
            places += weeks.places(ofType: types.name(of: type))
        }
        // No name of a type is empty: what only windows for all types bind.
        places += weeks.places(ofType: [])
        var ownPlaces: [[UInt8]: [Int32]] = [:]
        for name in windows.flatMap({ $0.types ?? [] }) where types.index(ofType: name) == PolicyTypes.unnamed {
            ownPlaces[Array(name.utf8)] = weeks.places(ofType: Array(name.utf8))
        }
        self.weeks = weeks.weeks
        self.places = places
        self.ownPlaces = ownPlaces
    }

    /// A week with the places of its windows.
    private struct Week {
        var quiet: QuietWeek
        var windows: [Int]
    }

    /// The weeks by set of windows: kinds of notifications that the same windows bind share one.
    private struct Weeks {
        let windows: [Window]
        var weeks: [Week] = []
        /// A bit for each window.
        var known: [UInt64: Int32] = [0: -1]

        init(windows: [Window]) {
            self.windows = windows
        }

        /// By level: the place of the week; -1 for a level that no window binds.
        mutating func places(ofType name: [UInt8]) -> [Int32] {
            let ofType = windows.map { $0.types?.contains(name) ?? true }
            return InterruptionLevel.allCases.map { level in
                let bound = windows.indices.filter { ofType[$0] && !windows[$0].window.exempt.contains(level) }
                let set = bound.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
                if let place = known[set] { return place }
                weeks.append(Week(quiet: QuietWeek(bound.map { windows[$0].window }), windows: Array(bound)))
                known[set] = Int32(truncatingIfNeeded: weeks.count - 1)
                return Int32(truncatingIfNeeded: weeks.count - 1)
            }
        }
    }

    /// The place of the week that binds a notification; -1 if none does.
    @inline(__always)
    private func place(of notification: RuledNotification) -> Int {
        let level = Int(notification.level.rawValue)
        if notification.type == PolicyTypes.unnamed, !ownPlaces.isEmpty {
            let name = notification.ownType.isEmpty ? Array("unknown".utf8) : Array(notification.ownType)
            if let own = ownPlaces[name] { return Int(own[level]) }
        }
        return Int(places[min(Int(notification.type), places.count / 4 - 1) * 4 + level])
    }

    public func binds(type: TypeIndex, level: InterruptionLevel) -> Bool {
        if places[min(Int(type), places.count / 4 - 1) * 4 + Int(level.rawValue)] >= 0 { return true }
        return type == PolicyTypes.unnamed && ownPlaces.values.contains { $0[Int(level.rawValue)] >= 0 }
    }

    public func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling {
        let place = place(of: notification)
        guard place >= 0 else { return .allowed }
        let free = weeks[place].quiet.firstFree(from: instant, in: zone)
        return free == instant ? .allowed : .later(free)
    }

    public func end(
        of notification: RuledNotification, after instant: Instant, until limit: Instant, in zone: ZoneTable
    ) -> Instant {
        let place = place(of: notification)
        return place < 0 ? limit : weeks[place].quiet.firstQuiet(from: instant, until: limit, in: zone)
    }

    public func reason(_ notification: RuledNotification, at instant: Instant, in zone: ZoneTable) -> String {
        let place = place(of: notification)
        guard place >= 0 else { return path }
        for index in weeks[place].windows {
            let window = windows[index].window
            guard QuietWeek([window]).firstFree(from: instant, in: zone) != instant else { continue }
            return "quietHours[\(index)], \(window.text) in \(zone.name)"
        }
        return path
    }
}

extension QuietWindow {
    /// `22:00–07:30`.
    var text: String {
        func time(_ minutes: Int) -> String {
            let (hour, minute) = (minutes / 60, minutes % 60)
            return (hour < 10 ? "0" : "") + "\(hour)" + (minute < 10 ? ":0" : ":") + "\(minute)"
        }
        return "\(time(from))–\(time(to))"
    }
}

/// The quiet hours of a policy, or of a device that has its own.
public struct QuietHoursSource: RuleSource {
    public static let name = "quietHours"

    public init() {}

    public func part(of settings: DeviceSettings) -> DeviceSettings? {
        guard case .own = settings.quietHours else { return nil }
        var part = DeviceSettings()
        part.quietHours = settings.quietHours
        return part
    }

    public func rules(of policy: Policy, types: PolicyTypes, device: DeviceSettings?) -> [any Rule] {
        var windows = policy.quietHours
        if case .own(let own) = device?.quietHours { windows = own }
        return windows.isEmpty ? [] : [QuietHours(windows, types: types)]
    }
}
