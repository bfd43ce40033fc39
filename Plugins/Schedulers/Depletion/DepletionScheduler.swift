public import RationModel
public import RationPluginKit

/// Warnings some days before a supply runs out.
public struct DepletionScheduler: Scheduler {
    public static let name = "depletion"
    public static let summary = "a warning some days before a supply runs out, moved as the estimate moves"

    let lead: Int
    let hour: Int
    let marginMilliseconds: Int64
    let horizonMilliseconds: Int64
    let prefix: String
    let type: String
    let timeZone: String
    let message: MessageTemplate

    private static let placeholders = ["name", "lead"]

    public static let settings =
        [
            SettingDescription(
                "lead", "whole days from 0d to 365d", "How many calendar days before a supply runs out", standard: "3d"),
            SettingDescription("hour", "a time of day", "When on that day", standard: "09:00"),
            SettingDescription(
                "margin", "a duration from 0ms to 365d",
                "A warning stays as it is when the estimate moves it by no more than this", standard: "1d"),
            SettingDescription(
                "horizon", "a duration from 1d to 365d", "How far ahead warnings are published", standard: "30d"),
            SettingDescription(
                "prefix", "a text", "What ids begin with", standard: "com.myapp.depletionReminder."),
            SettingDescription("type", "a type's name", "The warnings' type", standard: "depletion"),
            SettingDescription("timeZone", "a time zone", "Of supplies whose facts name none", standard: "UTC"),
        ] + MessageTemplate.settings(title: standardTitle, body: standardBody, placeholders: placeholders)

    private static let standardTitle = "Running out"
    private static let standardBody = "{name} will soon run out"

    public init(settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        let day = Instant.dayMilliseconds
        lead = reader.days("lead", standard: 3, in: 0...365)
        hour = reader.timeOfDay("hour", standard: 9 * 60)
        marginMilliseconds = reader.duration("margin", standard: day, in: 0...365 * day)
        horizonMilliseconds = reader.duration("horizon", standard: 30 * day, in: day...365 * day)
        prefix = reader.prefix(standard: "com.myapp.depletionReminder.")
        type = reader.type(standard: "depletion")
        timeZone = reader.timeZone(standard: "UTC")
        message = reader.message(
            standard: MessageTemplate(
                title: TextTemplate(standard: Self.standardTitle),
                body: TextTemplate(standard: Self.standardBody, placeholders: Self.placeholders)),
            placeholders: Self.placeholders)
        try reader.finish()
    }

    public var prefixes: [String] { [prefix] }

    public var types: [String] { [type] }

    public func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        let measurements = Measurements(facts.tables[1], now: now, &wanted)
        wanted.take(facts.tables[0], of: Self.supplies, distinctBy: 0) { row, wanted throws(FactFault) in
            try add(row, measurements, now, zones, to: &wanted)
        }
        return wanted
    }

    /// Adds the warning of a supply, if it is known when it runs out.
    private func add(
        _ row: FactRow, _ measurements: Measurements, _ now: Instant, _ zones: any ZoneSource,
        to wanted: inout WantedNotifications
    ) throws(FactFault) {
        let id = try Self.supplies.identifier(row, 0, prefix: prefix)
        let clock = try Self.supplies.clock(row, 5, standard: timeZone, in: zones)
        let content = try content(row)
        let own = try Self.own(row)
        if let own, own.instant > now {
            wanted.changes(at: own.instant, after: now)
            throw Self.supplies.fault(row, 4, "expected a measurement before now, found \(own.instant.rfc3339)")
        }
        let series = measurements.series(of: row.text(0), with: own)
        guard let use = try Self.usePerDay(row) ?? series.usePerDay,
            let end = series.last?.end(usePerDay: use), end > now
        else { return }
        let day = clock.days(at: end).lowerBound - Int64(lead)
        var warning = WantedNotification(
            id: id, type: type, content: content, date: clock.date(day: day, minute: hour), expires: end)
        if RecipientClock.instants(of: warning.date).lowerBound >= end {
            // It runs out before the hour of its last day: then the warning comes a day before.
            warning.date = clock.date(day: day - 1, minute: hour)
        }
        (warning.overdue, warning.marginMilliseconds) = (.deliver, marginMilliseconds)
        wanted.add(warning, horizonMilliseconds: horizonMilliseconds, now: now)
    }

    private func content(_ row: FactRow) throws(FactFault) -> WantedContent {
        var content = message.content([row.optionalText(1) ?? row.text(0), "\(lead)"])
        content.userInfo = ["supply": row.text(0)]
        if let message = content.fault { throw Self.supplies.fault(row, 1, message) }
        return content
    }
}
