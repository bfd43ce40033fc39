import RationModel
import RationPluginKit

/// A scheduler that the tree does not have: a word some days before a trial ends. It stays below 40 lines: so little a
/// scheduler takes.
struct TrialScheduler: Scheduler {
    static let name = "trial"
    static let summary = "a word some days before a trial ends"
    static let trials = FactTable(
        "trials", "The trials of a user",
        [FactColumn("trial", .text, "What tells it apart"), FactColumn("endsAt", .instant, "When it ends")])
    static let tables = [trials]
    static let settings = [
        SettingDescription("before", "whole days from 1d to 30d", "How long before the end", standard: "2d")
    ]
    let prefixes = ["com.myapp.trialReminder."]
    let types = ["trial"]
    let days: Int

    init(settings: [Setting]) throws(SettingFaults) {
        var reader = SettingReader(settings)
        days = reader.days("before", standard: 2, in: 1...30)
        try reader.finish()
    }

    func wanted(_ facts: RecipientFacts, now: Instant, zones: any ZoneSource) -> WantedNotifications {
        var wanted = WantedNotifications()
        wanted.take(facts.tables[0], of: Self.trials, distinctBy: 0) { row, wanted throws(FactFault) in
            let id = try Self.trials.identifier(row, 0, prefix: prefixes[0])
            let end = try Self.trials.instant(row, 1)
            let content = WantedContent(title: "Your trial ends soon", body: "\(days) days are left")
            let date = end.advanced(by: -Int64(days) * Instant.dayMilliseconds)
            let notification = WantedNotification(
                id: id, type: types[0], content: content, date: .at(date), expires: end)
            wanted.add(notification, horizonMilliseconds: 30 * Instant.dayMilliseconds, now: now)
        }
        return wanted
    }
}
