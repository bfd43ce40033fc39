public import RationModel
public import RationPluginKit

/// Reminders at the times that users have chosen for their habits, and those that they have set for an entry: one-shot ones
/// for the coming days, so that each can be moved, shown late and cancelled by itself.
public struct HabitScheduler: Scheduler {
    public static let name = "habit"
    public static let summary = "reminders of habits at their weekdays and times, and users' own entry reminders"

    static let dayMilliseconds = Instant.dayMilliseconds

    let horizonMilliseconds: Int64
    let expiresMilliseconds: Int64
    let message: MessageTemplate
    /// In the order of `tables`.
    let kinds: [Kind]

    /// What the rows of a table become.
    struct Kind: Hashable, Sendable {
        var prefix: String
        var type: String
        /// The name of its identifier in `userInfo`.
        var key: String
    }

    public static let settings =
        [
            SettingDescription(
                "horizon", "a duration from 1d to 60d", "How far ahead reminders are published", standard: "7d"),
            SettingDescription(
                "expires", "a duration from 1m to 7d",
                "How long after its time a reminder may still be shown; on a floating clock counted from the time at UTC−12",
                standard: "4h"),
            SettingDescription(
                "prefix", "a text", "What the ids of habits' reminders begin with", standard: "com.myapp.habitReminder."
            ),
            SettingDescription("type", "a type's name", "The type of habits' reminders", standard: "habit"),
            SettingDescription(
                "entryPrefix", "a text", "What the ids of entry reminders begin with",
                standard: "com.myapp.entryReminder."),
            SettingDescription("entryType", "a type's name", "The type of entry reminders", standard: "entry"),
        ] + MessageTemplate.settings(title: nil, body: nil, placeholders: ["id"])

    public init(settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        let day = Self.dayMilliseconds
        horizonMilliseconds = reader.duration("horizon", standard: 7 * day, in: day...60 * day)
        expiresMilliseconds = reader.duration("expires", standard: 4 * 3_600_000, in: 60_000...7 * day)
        let habit = Kind(
            prefix: reader.prefix(standard: "com.myapp.habitReminder."), type: reader.type(standard: "habit"),
            key: "habit")
        let entry = Kind(
            prefix: reader.prefix("entryPrefix", standard: "com.myapp.entryReminder."),
            type: reader.type("entryType", standard: "entry"), key: "entry")
        message = reader.message(standard: .empty, placeholders: ["id"], hasTexts: false)
        if habit.prefix.utf8.starts(with: entry.prefix.utf8) || entry.prefix.utf8.starts(with: habit.prefix.utf8) {
            reader.fault(
                "entryPrefix",
                "expected a beginning that tells entries from habits, found '\(entry.prefix)' beside '\(habit.prefix)'")
        }
        kinds = [habit, entry]
        try reader.finish()
    }

    public var prefixes: [String] { kinds.map(\.prefix) }

    public var types: [String] { kinds.map(\.type) }

    public func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var plan = ReminderPlan(
            horizonMilliseconds: horizonMilliseconds, expiresMilliseconds: expiresMilliseconds, now: now)
        for (place, rows) in facts.tables.enumerated() {
            plan.add(reminders(rows, of: place, zones, &plan.wanted.faults))
        }
        return plan.finished()
    }

    /// The reminders of a table's rows, less those that are paused or cannot be used.
    private func reminders(
        _ rows: [FactRow], of place: Int, _ zones: any ZoneSource, _ faults: inout [FactFault]
    ) -> [Reminder] {
        let reader = ReminderReader(place: place, kind: kinds[place], message: message, zones: zones)
        var reminders: [Reminder] = []
        reminders.reserveCapacity(rows.count)
        for row in rows where !reader.isPaused(row) {
            do throws(FactFault) {
                reminders.append(try reader.reminder(row))
            } catch {
                faults.append(error)
            }
        }
        return reminders
    }
}
