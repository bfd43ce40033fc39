import RationModel
import RationPluginKit
import RationZones
import Testing

/// Facts for tests, written by the columns' names.
enum Facts {
    /// The zones of this machine.
    static let zones = Result { try ZoneDatabase() }

    /// A recipient's facts.
    /// - Parameters:
    ///   - scheduler: whose tables they are.
    ///   - rows: by table; a column that is not named is null.
    static func of<Plugin: Scheduler>(_ scheduler: Plugin, _ rows: [String: [[String: FactValue]]]) -> RecipientFacts {
        let tables = Plugin.tables.map { table in
            (rows[table.name] ?? []).enumerated().map { index, row in
                precondition(row.keys.allSatisfy { name in table.columns.contains { $0.name == name } }, "\(row)")
                return FactRow(number: index + 1, table.columns.map { row[$0.name] ?? .null })
            }
        }
        return RecipientFacts(app: "com.example.habits", device: "phone-1", tables: tables)
    }
}

extension Instant {
    /// An instant that a test writes.
    static func at(_ text: String) -> Instant {
        guard let instant = Instant(rfc3339: text) else { preconditionFailure("no date: \(text)") }
        return instant
    }
}

extension FactValue {
    static func at(_ text: String) -> FactValue { .instant(Instant.at(text)) }
}

extension WantedDate {
    /// `2026-12-01T08:00:00Z`, or without the Z on a floating clock.
    var text: String {
        switch self {
        case .at(let instant): String(instant.rfc3339.prefix(19)) + "Z"
        case .wall(let wall): String(Instant(milliseconds: wall).rfc3339.prefix(19))
        }
    }
}

extension Scheduler {
    /// What is wanted: `id date`, sorted.
    func lines(_ rows: [String: [[String: FactValue]]], now: String) throws -> [String] {
        try answer(rows, now: now).notifications.map { "\($0.id) \($0.date.text)" }.sorted()
    }

    func answer(_ rows: [String: [[String: FactValue]]], now: String) throws -> WantedNotifications {
        wanted(Facts.of(self, rows), now: .at(now), zones: try Facts.zones.get())
    }

    /// The faults: `table row column`.
    func faults(_ rows: [String: [[String: FactValue]]], now: String) throws -> [String] {
        try answer(rows, now: now).faults.map { "\($0.table) \($0.row) \($0.column)" }
    }
}
