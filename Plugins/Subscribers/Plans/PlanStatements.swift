internal import RationModel
internal import RationSQLite

/// A plan as it is stored.
struct StoredPlan: Hashable {
    var plan: PhonePlan
    /// A hash of what the broker held for the device.
    var shape: UInt64
}

/// Reads plans out of a file. One thread uses it.
final class PlanStatements {
    private let findPlan: SQLiteStatement
    private let readEntries: SQLiteStatement
    private let findNumber: SQLiteStatement

    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        findPlan = try database.prepare(
            """
            SELECT number, log, birth, revision, floor, seen, given, told, pushed, not_before, shape FROM plans
            WHERE app = ?1 AND device = ?2
            """)
        readEntries = try database.prepare(
            "SELECT id, revision, wrong_from, fire, calendar, zone, content FROM entries WHERE plan = ?1 ORDER BY id")
        findNumber = try database.prepare("SELECT number FROM plans WHERE app = ?1 AND device = ?2")
    }

    func number(app: String, device: String) throws(SQLiteError) -> Int64? {
        var number: Int64?
        try findNumber.read([.text(app), .text(device)]) { number = $0.integer(0) }
        return number
    }

    /// - Returns: nil for an unknown device.
    func plan(app: String, device: String) throws(SQLiteError) -> StoredPlan? {
        var number: Int64?
        var stored: (([PhonePlan.Entry]) -> StoredPlan)?
        try findPlan.read([.text(app), .text(device)]) { row in
            number = row.integer(0)
            let (log, birth) = (row.text(1) ?? "", row.integer(2))
            let (pushed, notBefore) = (Instant(milliseconds: row.integer(8)), Instant(milliseconds: row.integer(9)))
            let numbers = [3, 4, 5, 6, 7, 10].map { UInt64(bitPattern: row.integer($0)) }
            stored = { entries in
                StoredPlan(
                    plan: PhonePlan(
                        log: log, birth: birth, revision: numbers[0], floor: numbers[1], seen: numbers[2],
                        given: numbers[3], told: numbers[4], pushed: pushed, notBefore: notBefore,
                        entries: entries), shape: numbers[5])
            }
        }
        guard let number, let stored else { return nil }
        var entries: [PhonePlan.Entry] = []
        try readEntries.read([.integer(number)]) { entries.append(Self.entry($0)) }
        return stored(entries)
    }

    private static func entry(_ row: SQLiteRow) -> PhonePlan.Entry {
        let id = row.text(0) ?? ""
        var entry = PhonePlan.Entry(
            id: id, revision: UInt64(bitPattern: row.integer(1)), wrongFrom: Instant(milliseconds: row.integer(2)),
            notification: nil)
        guard row.value(3) != .null else { return entry }
        let fireDate = Instant(milliseconds: row.integer(3))
        let pattern = row.text(4).map { CalendarPattern(stored: $0) }
        entry.notification = PhoneNotification(
            id: id, trigger: pattern.map { .calendar($0, timeZone: row.text(5)) } ?? .at(fireDate), fireDate: fireDate,
            content: row.blob(6))
        return entry
    }
}

extension CalendarPattern {
    /// Its components from the year to the second, -1 where one is absent.
    var stored: String { Component.allCases.map { "\(self[$0])" }.joined(separator: " ") }

    /// - Parameter text: as `stored` wrote it.
    init(stored text: String) {
        self.init()
        for (component, word) in zip(Component.allCases, text.split(separator: " ")) {
            self[component] = Int16(word) ?? -1
        }
    }
}
