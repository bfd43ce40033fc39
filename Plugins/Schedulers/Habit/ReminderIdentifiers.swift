import RationPluginKit

/// Writes the ids of reminders; a day is written once for many.
struct ReminderIdentifiers {
    /// The last days, by their number modulo the count.
    private var days = [(day: Int64, text: String)](repeating: (.min, ""), count: 16)

    /// - Parameters:
    ///   - base: the prefix and the row's identifier.
    ///   - day: since 1970-01-01.
    ///   - minute: since midnight; below 0 for one that comes once.
    mutating func text(_ base: String, _ day: Int64, _ minute: Int) -> String {
        guard minute >= 0 else { return base + Reminder.onceSuffix }
        let place = Int(day & 15)
        if days[place].day != day { days[place] = (day, ".\(WrittenDay.text(day)).") }
        var id = ""
        id.reserveCapacity(base.utf8.count + Reminder.longestSuffix.utf8.count)
        id += base
        id += days[place].text
        id += String(minute)
        return id
    }
}
