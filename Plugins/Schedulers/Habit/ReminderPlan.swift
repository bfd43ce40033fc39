import RationModel
import RationPluginKit

/// Collects the occurrences of reminders that are wanted now.
struct ReminderPlan {
    private let horizonMilliseconds: Int64
    private let expiresMilliseconds: Int64
    private let now: Instant
    private var reminders: [Reminder] = []
    private var occurrences: [Occurrence] = []
    var wanted = WantedNotifications()

    /// One time at which a reminder comes.
    private struct Occurrence {
        /// The place of its reminder.
        var reminder: Int
        /// The instants between which it may come.
        var earliest: Instant
        var latest: Instant
        /// Since midnight; -1 of one that comes once.
        var minute = -1
        var day: Int64 = 0
    }

    init(horizonMilliseconds: Int64, expiresMilliseconds: Int64, now: Instant) {
        (self.horizonMilliseconds, self.expiresMilliseconds) = (horizonMilliseconds, expiresMilliseconds)
        self.now = now
    }

    /// Adds the reminders of one table.
    mutating func add(_ added: [Reminder]) {
        var added = added
        let isShared = Set(added.map(\.base)).count < added.count
        // The identifier is the first column: rows that share one come together, in an order that no query decides.
        if isShared { added.sort { $0.row.precedes($1.row) } }
        for reminder in added {
            if isShared, let last = reminders.last, last.base.utf8.elementsEqual(reminder.base.utf8) {
                addSharing(reminder)
            } else {
                shared = Shared(start: occurrences.count)
                shared.note(reminder)
                reminders.append(reminder)
                addOccurrences(of: reminder)
            }
        }
    }

    /// What the rows have that share their identifier.
    private struct Shared {
        /// Where their occurrences begin.
        var start: Int
        var hasOnce = false
        var timeZone: FactValue?

        mutating func note(_ reminder: Reminder) {
            if case .once = reminder.dates { hasOnce = true } else { timeZone = reminder.timeZone }
        }

        /// Whether a row's ids may be those of a row before with other dates.
        func clashes(with reminder: Reminder) -> Bool {
            if case .once = reminder.dates { return hasOnce }
            return timeZone.map { $0 != reminder.timeZone } ?? false
        }
    }

    private var shared = Shared(start: 0)

    /// Adds a row that shares its identifier with the last one.
    private mutating func addSharing(_ reminder: Reminder) {
        guard !shared.clashes(with: reminder) else {
            return note(
                "expected at most one 'at' and one 'timeZone' in the rows that share an identifier, found another",
                reminder)
        }
        shared.note(reminder)
        reminders.append(reminder)
        let start = occurrences.count
        addOccurrences(of: reminder)
        removeRepeated(from: start)
    }

    private mutating func note(_ message: String, _ reminder: Reminder) {
        wanted.faults.append(
            HabitScheduler.tables[reminder.table].fault(reminder.row, HabitScheduler.Column.identifier, message))
    }

    /// Takes away those that rows before have at the same day and minute: one clock shows both, so they come together.
    private mutating func removeRepeated(from start: Int) {
        struct Time: Hashable {
            var day: Int64
            var minute: Int
        }
        let known = Set(occurrences[shared.start..<start].map { Time(day: $0.day, minute: $0.minute) })
        let added = occurrences[start...].filter { !known.contains(Time(day: $0.day, minute: $0.minute)) }
        occurrences.replaceSubrange(start..., with: added)
    }

    private mutating func addOccurrences(of reminder: Reminder) {
        switch reminder.dates {
        case .once(let instant):
            add(Occurrence(reminder: reminders.count - 1, earliest: instant, latest: instant))
        case .days(let days): add(days)
        }
    }

    /// The days from the first on which something may still be shown, to those that lie wholly beyond the horizon.
    private mutating func add(_ days: Reminder.Days) {
        let clock = days.clock
        let begin = clock.days(at: now.advanced(by: -expiresMilliseconds)).lowerBound - 1
        let end = clock.days(at: now.advanced(by: horizonMilliseconds)).upperBound + 1
        var day = max(begin, days.first)
        // What comes next beyond the horizon lies on the first such day or, where a gap delays it, on the second.
        var beyond = 0
        while day <= days.last, beyond < 2 {
            if days.weekdays.contains(day: day) {
                for minute in days.minutes { add(clock.date(day: day, minute: minute), day, minute) }
                if day > end { beyond += 1 }
            }
            day += 1
        }
    }

    private mutating func add(_ date: WantedDate, _ day: Int64, _ minute: Int) {
        let instants = RecipientClock.instants(of: date)
        add(
            Occurrence(
                reminder: reminders.count - 1, earliest: instants.lowerBound, latest: instants.upperBound,
                minute: minute, day: day))
    }

    private mutating func add(_ occurrence: Occurrence) {
        guard occurrence.latest.advanced(by: expiresMilliseconds) > now else { return }
        let begin = occurrence.earliest.advanced(by: -horizonMilliseconds)
        if begin <= now { occurrences.append(occurrence) } else { wanted.changes(at: begin, after: now) }
    }

    /// The notifications, the soonest of too many.
    consuming func finished() -> WantedNotifications {
        if occurrences.count > WantedNotifications.limit { keepSoonest() }
        var identifiers = ReminderIdentifiers()
        wanted.notifications.reserveCapacity(occurrences.count)
        for occurrence in occurrences { wanted.notifications.append(notification(occurrence, &identifiers)) }
        return wanted
    }

    private mutating func keepSoonest() {
        let ranks = ranks()
        occurrences.sort { left, right in
            (left.earliest, ranks[left.reminder], left.day, left.minute)
                < (right.earliest, ranks[right.reminder], right.day, right.minute)
        }
        let first = reminders[occurrences[WantedNotifications.limit].reminder]
        let count = occurrences.count - WantedNotifications.limit
        occurrences.removeSubrange(WantedNotifications.limit...)
        for occurrence in occurrences {
            wanted.changes(at: occurrence.latest.advanced(by: expiresMilliseconds), after: now)
        }
        note(
            "expected at most \(WantedNotifications.limit) reminders of one recipient at a time, found \(count) more, "
                + "which are left out: the latest, from this row's on", first)
    }

    /// By reminder: its place among all by the bytes of their ids; the same for those that share theirs.
    private func ranks() -> [Int] {
        let sorted = reminders.indices.sorted { reminders[$0].base.precedesByBytes(reminders[$1].base) }
        var ranks = [Int](repeating: 0, count: reminders.count)
        for (place, reminder) in sorted.enumerated().dropFirst() {
            let before = sorted[place - 1]
            ranks[reminder] = ranks[before] + (reminders[before].base.precedesByBytes(reminders[reminder].base) ? 1 : 0)
        }
        return ranks
    }

    private func notification(
        _ occurrence: Occurrence, _ identifiers: inout ReminderIdentifiers
    ) -> WantedNotification {
        // Field by field: a copy of the reminder would cost more than all else.
        var date = WantedDate.at(occurrence.earliest)
        if occurrence.earliest != occurrence.latest {
            date = RecipientClock.floating.date(day: occurrence.day, minute: occurrence.minute)
        }
        return WantedNotification(
            id: identifiers.text(reminders[occurrence.reminder].base, occurrence.day, occurrence.minute),
            type: reminders[occurrence.reminder].type, content: reminders[occurrence.reminder].content, date: date,
            expires: occurrence.latest.advanced(by: expiresMilliseconds))
    }
}
