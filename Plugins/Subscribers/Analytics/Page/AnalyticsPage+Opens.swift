internal import RationModel

/// The report's tables of feedback.
extension AnalyticsReport {
    /// What was told, and which part of what was shown was opened; none where nothing was told.
    public var feedbackTables: [ReportTable] {
        guard hasFeedback else { return [] }
        return [
            feedbackTable, table("Open rate by type", "type", opens.types),
            table("Open rate by hour of the fire date", "hour (UTC)", opens.hoursOfDay),
            table("Open rate by priority", "priority", opens.priorities),
        ]
    }

    private var feedbackTable: ReportTable {
        let told = apps.filter { app in EventKind.feedback.contains { app[$0] > 0 } }
        return ReportTable(
            title: "Feedback", columns: ["app"] + EventKind.feedback.map { "\($0.name)" }, wordColumns: 1,
            rows: told.map { app in [app.name] + EventKind.feedback.map { Wording.number(app[$0]) } })
    }

    private func table(_ title: String, _ name: String, _ rates: [OpenRate]) -> ReportTable {
        ReportTable(
            title: title, columns: [name, "due", "failed", "opened", "open rate"], wordColumns: 1,
            rows: rates.map { rate in
                [
                    rate.name, Wording.number(rate.due), Wording.number(rate.failed), Wording.number(rate.opened),
                    rate.shown == 0 ? "" : Wording.percent(rate.percent),
                ]
            })
    }
}
