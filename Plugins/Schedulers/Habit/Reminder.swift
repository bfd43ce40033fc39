import RationModel
import RationPluginKit

/// What a row asks for.
struct Reminder {
    var row: FactRow
    /// The place of its table.
    var table: Int
    /// What its notifications' ids begin with: the prefix and the row's identifier.
    var base: String
    var type: String
    var content: WantedContent
    var dates: Dates

    var timeZone: FactValue { row.values[HabitScheduler.Column.timeZone] }

    enum Dates {
        case once(Instant)
        case days(Days)
    }

    /// Times on days of a clock.
    struct Days {
        var clock: RecipientClock
        var weekdays: WeekdaySet
        /// Since midnight, rising.
        var minutes: [Int]
        /// The first and the last day since 1970-01-01.
        var first: Int64
        var last: Int64
    }

    /// What follows `base` in the id of one that comes once.
    static let onceSuffix = ".once"
    /// The longest that follows `base`.
    static let longestSuffix = ".2026-12-01.1439"
}

/// Reads the rows of one table.
struct ReminderReader {
    typealias Column = HabitScheduler.Column

    let table: FactTable
    let place: Int
    let kind: HabitScheduler.Kind
    let message: MessageTemplate
    let zones: any ZoneSource

    init(place: Int, kind: HabitScheduler.Kind, message: MessageTemplate, zones: any ZoneSource) {
        (self.place, self.kind, self.message, self.zones) = (place, kind, message, zones)
        table = HabitScheduler.tables[place]
    }

    func isPaused(_ row: FactRow) -> Bool { row.isTrue(Column.paused) }

    func reminder(_ row: FactRow) throws(FactFault) -> Reminder {
        _ = try table.identifier(
            row, Column.identifier, prefix: kind.prefix, suffix: Reminder.longestSuffix)
        return Reminder(
            row: row, table: place, base: kind.prefix + row.text(Column.identifier), type: kind.type,
            content: try content(row), dates: try dates(row))
    }

    private func content(_ row: FactRow) throws(FactFault) -> WantedContent {
        let identifier = row.text(Column.identifier)
        var content = message.content([identifier])
        content.title = row.text(Column.title)
        content.body = row.optionalText(Column.body) ?? ""
        if let category = row.optionalText(Column.category) { content.category = category }
        if let sound = row.optionalText(Column.sound) { content.sound = sound }
        content.userInfo = [kind.key: identifier]
        if let message = content.fault { throw table.fault(row, Column.title, message) }
        return content
    }

    private func dates(_ row: FactRow) throws(FactFault) -> Reminder.Dates {
        let isEntry = table.columns.count > Column.at
        if isEntry, !row.isNull(Column.at) {
            try refuse([Column.times, Column.weekdays, Column.starts, Column.ends, Column.date], row, with: Column.at)
            return .once(try table.instant(row, Column.at))
        }
        let clock = try table.clock(row, Column.timeZone, standard: nil, in: zones)
        let (weekdays, minutes) = (try weekdays(row), try minutes(row))
        var (first, last) = (try day(row, Column.starts), try day(row, Column.ends))
        if isEntry, let date = try day(row, Column.date) {
            try refuse([Column.weekdays, Column.starts, Column.ends], row, with: Column.date)
            (first, last) = (date, date)
        }
        return .days(
            Reminder.Days(
                clock: clock, weekdays: weekdays, minutes: minutes, first: first ?? Self.days.lowerBound,
                last: last ?? Self.days.upperBound))
    }

    /// The days that can be written.
    private static let days =
        Instant.split(wall: Instant.writable.lowerBound.milliseconds)
        .day...Instant.split(
            wall: Instant.writable.upperBound.milliseconds
        ).day

    private func refuse(_ columns: [Int], _ row: FactRow, with given: Int) throws(FactFault) {
        for column in columns where !row.isNull(column) {
            throw table.fault(row, column, "expected null beside '\(table.columns[given].name)', found a value")
        }
    }

    private func weekdays(_ row: FactRow) throws(FactFault) -> WeekdaySet {
        guard let text = row.optionalText(Column.weekdays) else { return .all }
        guard let weekdays = WeekdaySet(written: text) else {
            throw table.fault(
                row, Column.weekdays,
                "expected days such as mon,wed,fri, or daily, weekdays or weekend, found \(shown(text))")
        }
        return weekdays
    }

    private func minutes(_ row: FactRow) throws(FactFault) -> [Int] {
        let text = row.optionalText(Column.times)
        guard let text, let minutes = TimeOfDay.list(text) else {
            let found = text.map(shown) ?? "null"
            throw table.fault(
                row, Column.times,
                "expected 1 to \(TimeOfDay.listed) times from 00:00 to 23:59 such as 07:30,21:00, found \(found)")
        }
        return minutes
    }

    private func day(_ row: FactRow, _ column: Int) throws(FactFault) -> Int64? {
        guard let text = row.optionalText(column) else { return nil }
        guard let day = WrittenDay.day(text) else {
            throw table.fault(row, column, "expected a day such as 2026-12-01, found \(shown(text))")
        }
        return day
    }

    private func shown(_ text: String) -> String {
        text.utf8.count <= 64 ? "'\(text)'" : "a text of \(text.utf8.count) bytes"
    }
}
