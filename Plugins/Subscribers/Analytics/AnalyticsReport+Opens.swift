internal import RationSQLite

/// Reads open rates.
extension ReportReader {
    func opens() throws(SQLiteError) -> AnalyticsReport.OpenRates {
        var rates = AnalyticsReport.OpenRates()
        guard try hasOpens() else { return rates }
        rates.types = try opens(by: "o.type", named: "coalesce(n.name, 'other')").sorted {
            ($0.due, $1.name) > ($1.due, $0.name)
        }
        rates.hoursOfDay = try opens(by: "o.hour_of_day", named: "printf('%02d:00', o.hour_of_day)")
        rates.priorities = try opens(by: "o.priority", named: "o.priority")
        return rates
    }

    /// A file that an earlier version has written knows none until analytics runs again.
    private func hasOpens() throws(SQLiteError) -> Bool {
        var count: Int64 = 0
        try database.run("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'opens'") {
            count = $0.integer(0)
        }
        return count > 0
    }

    private func opens(by column: String, named name: String) throws(SQLiteError) -> [AnalyticsReport.OpenRate] {
        var rates: [AnalyticsReport.OpenRate] = []
        try database.run(
            """
            SELECT \(name), sum(o.due), sum(o.failed), sum(o.opened) FROM opens o
            LEFT JOIN types n ON n.log = o.log AND n.number = o.type
            WHERE o.log = ?1 AND o.hour >= ?2 GROUP BY \(column) ORDER BY \(column)
            """, window
        ) { row in
            rates.append(
                AnalyticsReport.OpenRate(
                    name: row.text(0) ?? "", due: row.integer(1), failed: row.integer(2), opened: row.integer(3)))
        }
        return rates
    }
}
