import RationZones

/// What the planner itself costs, without sockets and storage, beside a naive one in the same run.
struct PlannerBenchmark {
    enum Section: String, CaseIterable {
        case check, full, worst, memory, allocations
    }

    private let settings: Invocation.PlannerSettings

    init(_ settings: Invocation.PlannerSettings) {
        self.settings = settings
    }

    /// - Throws: `BenchmarkError` if the planners disagree or, if the settings say so, an aim is missed.
    func run() throws {
        let zones = try ZoneDatabase()
        var report = FigureReport(
            "planner", runs: settings.runs,
            measured: "medians of \(settings.runs) runs, processor time of one thread")
        for section in Section.allCases where settings.sections.contains(section) {
            report.sections.append(
                FigureReport.Section(name: section.rawValue, figures: try figures(of: section, zones)))
        }
        print(settings.isJSON ? report.json : report.text)
        if settings.isGate { try report.requireAims() }
    }

    private func figures(of section: Section, _ zones: ZoneDatabase) throws -> [Figure] {
        switch section {
        case .check:
            return [try NaiveCheck(zones).run()]
        case .full:
            let one = FullRecipients(1, steps: 100_000, naiveSteps: 5_000, zones)
            let many = FullRecipients(settings.recipients, steps: 100_000, naiveSteps: 5_000, zones)
            return try one.measure(runs: settings.runs, name: "one", text: "one recipient")
                + many.measure(runs: settings.runs, name: "many", text: "\(settings.recipients) recipients")
        case .worst:
            return try WorstCase.all.flatMap { try $0.measure(runs: settings.runs, zones) }
        case .memory:
            return try PendingMemory(recipients: settings.recipients, zones).measure()
        case .allocations:
            return try Allocations.measure(zones)
        }
    }
}
