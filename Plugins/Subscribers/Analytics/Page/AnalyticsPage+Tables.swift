internal import RationModel

/// The report's tables, for the page and for terminals.
public struct ReportTable: Hashable, Sendable {
    public var title: String
    public var columns: [String]
    /// The first columns that are words; the others are numbers.
    public var wordColumns: Int
    public var rows: [[String]]
}

extension AnalyticsReport {
    private static let kinds: [EventKind] = [.accepted, .queued, .evicted, .due, .expired, .cancelled]

    public var typeTable: ReportTable { table("By type", "type", types) }
    public var appTable: ReportTable { table("By app", "app", apps) }
    public var hourTable: ReportTable {
        var groups = hourly
        for index in groups.indices { groups[index].name = Wording.minute(groups[index].name) }
        return table("By hour", "hour (UTC)", groups)
    }

    private func table(_ title: String, _ name: String, _ groups: [Group]) -> ReportTable {
        let columns = [name] + Self.kinds.flatMap { $0 == .evicted ? ["evicted", "for good"] : ["\($0.name)"] }
        let rows = groups.map { group in
            [group.name]
                + Self.kinds.flatMap { kind in
                    let count = Wording.number(group[kind])
                    return kind == .evicted ? [count, Wording.number(group.evictedForGood)] : [count]
                }
        }
        return ReportTable(title: title, columns: columns, wordColumns: 1, rows: rows)
    }

    public var whyTable: ReportTable {
        let rows = whys.map { why in
            let end = why.isFinal.map { $0 ? "for good" : "goes on" } ?? ""
            return ["\(why.kind.name)", why.word, end, Wording.number(why.count)]
        }
        return ReportTable(
            title: "By cause and reason", columns: ["event", "cause or reason", "end", "count"], wordColumns: 3,
            rows: rows)
    }

    public var durationTable: ReportTable {
        let rows = durations.map { durations in
            [
                durations.measure.words, durations.type, Wording.number(durations.count),
                Wording.span(durations.meanMilliseconds), durations.bucket(at: 0.5), durations.bucket(at: 0.95),
                Wording.span(durations.mostMilliseconds),
            ]
        }
        return ReportTable(
            title: "Delays", columns: ["from … to", "type", "count", "mean", "half within", "95 % within", "longest"],
            wordColumns: 2, rows: rows)
    }
}

extension DurationMeasure {
    /// For people.
    public var words: String {
        switch self {
        case .latency: "requested … fired"
        case .queuedUntilHeld: "queued … slot"
        case .queuedUntilGone: "queued … gone"
        }
    }
}

extension AnalyticsPage {
    var tables: String {
        let tables = [report.typeTable, report.appTable, report.whyTable, report.durationTable]
        return (tables + report.feedbackTables).map(Self.html).joined()
    }

    private static func html(_ table: ReportTable) -> String {
        func cells(_ cells: [String], _ tag: String) -> String {
            cells.enumerated().map { index, cell in
                "<\(tag)\(index < table.wordColumns ? "" : " class=\"n\"")>\(Markup.text(cell))</\(tag)>"
            }.joined()
        }
        let head = "<section><h2>\(Markup.text(table.title))</h2>\n"
        guard !table.rows.isEmpty else { return head + "<p class=\"none\">None in this time.</p></section>\n" }
        let rows = table.rows.prefix(mostRows).map { "<tr>\(cells($0, "td"))</tr>\n" }.joined()
        let more = table.rows.count - min(table.rows.count, mostRows)
        return head + "<div class=\"scroll\"><table><thead><tr>\(cells(table.columns, "th"))</tr></thead><tbody>\n"
            + rows + "</tbody></table></div>" + (more > 0 ? "<p class=\"note\">and \(more) more</p>" : "")
            + "</section>\n"
    }
}
