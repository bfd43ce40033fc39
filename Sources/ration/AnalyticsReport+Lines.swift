import AnalyticsSubscriber
import RationCommandLine
import RationModel

extension AnalyticsReport {
    /// The report for terminals.
    /// - Parameter groups: of `type`, `app`, `hour`, `reason` and `opens`.
    func lines(_ groups: [String]) -> [String] {
        var lines = ["log \(log.printable)" + (logs.count > 1 ? ", one of \(logs.count)" : "")]
        lines.append("\(Wording.number(events)) events" + (hours.map { " from \(minute($0.lowerBound)) UTC on" } ?? ""))
        lines.append(
            "now \(Wording.number(current.held)) slots in use, \(Wording.number(current.queued)) waiting; "
                + "\(Wording.number(current.over)) of \(Wording.number(current.recipients)) recipients over budget "
                + "(\(Wording.percent(current.overPercent)))")
        let tables = [("type", typeTable), ("app", appTable), ("hour", hourTable), ("reason", whyTable)]
        for (name, table) in tables where groups.contains(name) { lines += [""] + table.lines }
        if !durationTable.rows.isEmpty { lines += [""] + durationTable.lines }
        if groups.contains("opens") {
            for table in feedbackTables { lines += ["", "\(table.title):"] + table.lines }
        }
        return lines
    }

    private func minute(_ hour: Int64) -> String {
        Wording.minute(Instant(milliseconds: hour * 3_600_000).rfc3339)
    }
}

extension ReportTable {
    fileprivate var lines: [String] {
        var table = TextTable(
            columns.enumerated().map { TextTable.Column($0.element, isRight: $0.offset >= wordColumns) })
        for row in rows { table.append(row.map(\.printable)) }
        return table.lines()
    }
}
