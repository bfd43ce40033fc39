import RationModel
import RationPluginKit

/// Facts at an instant.
struct SchedulerQuestion: CustomStringConvertible {
    var facts: RecipientFacts
    var now: Instant

    func ask(_ scheduler: any Scheduler, _ zones: any ZoneSource) -> WantedNotifications {
        scheduler.wanted(facts, now: now, zones: zones)
    }

    func at(_ now: Instant) -> SchedulerQuestion { SchedulerQuestion(facts: facts, now: now) }

    /// Whether a fault is about one of the rows.
    func has(_ fault: FactFault, in tables: [FactTable]) -> Bool {
        guard let place = tables.firstIndex(where: { $0.name == fault.table }) else { return false }
        let isColumn = tables[place].columns.contains { $0.name == fault.column }
        return isColumn && facts.tables[place].contains { $0.number == fault.row } && !fault.message.isEmpty
    }

    /// The same without some rows.
    func without(_ faults: [FactFault], in tables: [FactTable]) -> SchedulerQuestion {
        var left = self
        for (place, table) in tables.enumerated() {
            left.facts.tables[place].removeAll { row in
                faults.contains { $0.table == table.name && $0.row == row.number }
            }
        }
        return left
    }

    var description: String {
        let rows = facts.tables.map { table in
            table.map { "\($0.number): \($0.values.map(\.text))" }.joined(separator: "\n")
        }
        return "now \(now.rfc3339), facts\n\(rows.joined(separator: "\n--\n"))"
    }
}

extension FactValue {
    /// As a message shows it.
    var text: String {
        switch self {
        case .null: "-"
        case .text(let text): text.utf8.count > 40 ? "(\(text.utf8.count) bytes)" : text
        case .wholeNumber(let number): "\(number)"
        case .number(let number): "\(number)"
        case .instant(let instant): instant.rfc3339
        case .truth(let truth): "\(truth)"
        }
    }
}
