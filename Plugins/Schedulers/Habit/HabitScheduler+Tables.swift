public import RationPluginKit

extension HabitScheduler {
    public static let tables = [habits, entries]

    static let habits = FactTable(
        "habits", "The habits of a user. One may have several rows, with other days or times in each",
        [
            FactColumn("habit", .text, "What tells the habit apart: the same from run to run"),
            FactColumn("title", .text, "The reminder's first line"),
            FactColumn("body", .text, "Its text", isOptional: true),
            FactColumn("times", .text, "`07:30,21:00`: 1 to 24 times from 00:00 to 23:59"),
            FactColumn(
                "weekdays", .text, "`mon,wed,fri`, `daily`, `weekdays` or `weekend`; null: daily", isOptional: true),
            FactColumn(
                "timeZone", .text, "Whose clock the times are on; null: the device's, wherever it is", isOptional: true),
            FactColumn("starts", .text, "`2026-12-01`: its first day; null: it has begun", isOptional: true),
            FactColumn("ends", .text, "`2026-12-31`: its last day; null: it goes on", isOptional: true),
            FactColumn("paused", .truth, "Whether it rests; null: no", isOptional: true),
            FactColumn("category", .text, "In place of the setting's", isOptional: true),
            FactColumn("sound", .text, "In place of the setting's", isOptional: true),
        ])

    static let entries = FactTable(
        "entries",
        "What users want to be reminded of by themselves: once at an instant (`at`), once on a day (`date` and `times`), "
            + "or on weekdays (`times`)",
        [
            FactColumn("entry", .text, "What tells the entry apart: the same from run to run"),
            FactColumn("title", .text, "The reminder's first line"),
            FactColumn("body", .text, "Its text", isOptional: true),
            FactColumn("times", .text, "As of habits; null with `at`", isOptional: true),
            FactColumn("weekdays", .text, "As of habits; null with `at` or `date`", isOptional: true),
            FactColumn("timeZone", .text, "As of habits", isOptional: true),
            FactColumn("starts", .text, "As of habits; null with `at` or `date`", isOptional: true),
            FactColumn("ends", .text, "As of habits; null with `at` or `date`", isOptional: true),
            FactColumn("paused", .truth, "As of habits", isOptional: true),
            FactColumn("category", .text, "In place of the setting's", isOptional: true),
            FactColumn("sound", .text, "In place of the setting's", isOptional: true),
            FactColumn("at", .instant, "When it is wanted, once", isOptional: true),
            FactColumn("date", .text, "`2026-12-01`: the day on which it is wanted, once", isOptional: true),
        ],
        isOptional: true)

    /// The columns' places: the same in both tables, as far as both have them.
    enum Column {
        static let identifier = 0
        static let title = 1
        static let body = 2
        static let times = 3
        static let weekdays = 4
        static let timeZone = 5
        static let starts = 6
        static let ends = 7
        static let paused = 8
        static let category = 9
        static let sound = 10
        /// Of entries only.
        static let at = 11
        static let date = 12
    }
}
