public import RationModel
import RationPluginKit

extension InactivityScheduler {
    public static let settings =
        [
            SettingDescription(
                "after", "a list of 1 to 16 durations, whole days from 1d to 365d",
                "Calendar days after the last visit's day", standard: "[3d, 7d, 14d, 30d]"),
            SettingDescription(
                "messages", "a mapping of such durations to `{title, …}`",
                "What the nudge after so many days says, in place of what stands below", standard: "none"),
            SettingDescription(
                "visits", "a whole number from 1 to 100", "The latest visits that tell the usual hour", standard: "20"),
            SettingDescription(
                "enough", "a whole number from 1 to 100", "Visits before their hour is believed", standard: "3"),
            SettingDescription(
                "defaultHour", "a time of day", "When a nudge is wanted with fewer visits", standard: "18:00"),
            SettingDescription(
                "margin", "a duration from 0ms to 1d",
                "A nudge stays as it is when a visit moves it by no more than this", standard: "30m"),
            SettingDescription(
                "expires", "a duration from 1m to 30d", "How long after its date a nudge may still be shown",
                standard: "1d"),
            SettingDescription(
                "prefix", "a text", "What ids begin with", standard: "com.myapp.inactivityReminder."),
            SettingDescription("type", "a type's name", "The nudges' type", standard: "inactivity"),
            SettingDescription("timeZone", "a time zone", "Of users whose facts name none", standard: "UTC"),
        ] + MessageTemplate.settings(title: Nudge.title, body: Nudge.body, placeholders: Nudge.placeholders)
}

extension InactivityScheduler.Nudge {
    static let placeholders = ["days"]
    static let title = "Still there?"
    static let body = "It has been {days} days"

    /// Reads the settings `after`, `messages` and those of a message.
    static func read(_ reader: inout SettingReader) -> [Self] {
        let after = reader.days("after", standard: [3, 7, 14, 30], in: 1...365, count: 1...16)
        let common = reader.message(
            standard: MessageTemplate(
                title: TextTemplate(standard: title), body: TextTemplate(standard: body, placeholders: placeholders)),
            placeholders: placeholders)
        let own = reader.mappings("messages") { name, members in
            (name: name, message: members.message(standard: common, placeholders: placeholders))
        }
        let names = after.map { "\($0)d" }
        for (name, _) in own ?? [] where !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
            reader.fault(
                "messages.\(name)", "expected one of 'after', \(names.joined(separator: ", ")), found '\(name)'")
        }
        return zip(after, names).map { days, name in
            let message = own?.first { $0.name.utf8.elementsEqual(name.utf8) }?.message
            var content = (message ?? common).content(["\(days)"])
            content.userInfo = ["days": "\(days)"]
            if let fault = content.fault { reader.fault(message == nil ? "title" : "messages.\(name).title", fault) }
            return Self(days: days, content: content)
        }
    }
}
