/// Stacked bars over time, a colour for each series.
struct BarPlot {
    /// More series than this are put together as `others`.
    static let mostSeries = 8

    let title: String
    let explanation: String
    let bins: AnalyticsReport.Bins?
    let series: [AnalyticsReport.Series]

    init(
        _ title: String, _ explanation: String, _ bins: AnalyticsReport.Bins?, _ series: [AnalyticsReport.Series]
    ) {
        (self.title, self.explanation, self.bins) = (title, explanation, bins)
        self.series = Self.gathered(series.filter { $0.total > 0 })
    }

    private static func gathered(_ series: [AnalyticsReport.Series]) -> [AnalyticsReport.Series] {
        guard series.count > mostSeries else { return series }
        let rest = series[(mostSeries - 1)...]
        let values = rest[rest.startIndex].values.indices.map { bin in rest.reduce(0) { $0 + $1.values[bin] } }
        return series[..<(mostSeries - 1)]
            + [AnalyticsReport.Series(name: "\(rest.count) others", values: values)]
    }

    var html: String {
        let head = "<section><h2>\(Markup.text(title))</h2><p class=\"note\">\(Markup.text(explanation))</p>\n"
        guard let bins, !series.isEmpty else { return head + "<p class=\"none\">None in this time.</p></section>\n" }
        let sums = (0..<bins.count).map { bin in series.reduce(0) { $0 + $1.values[bin] } }
        let frame = PlotFrame(bins, most: Double(sums.max() ?? 0))
        return head + Legend.html(series.map { ($0.name, Wording.number($0.total)) })
            + frame.drawing("\(title) over time", bars(frame)) + "</section>\n"
    }

    private func bars(_ frame: PlotFrame) -> String {
        var bars = ""
        let gap = min(2, frame.columnWidth * 0.15)
        // One bin alone is no wall.
        let width = min(frame.columnWidth - gap, 60)
        for bin in 0..<frame.bins.count {
            var below = 0.0
            for (index, series) in series.enumerated() where series.values[bin] > 0 {
                let above = below + Double(series.values[bin])
                let (top, bottom) = (frame.y(above), frame.y(below))
                below = above
                bars += "<rect class=\"c\(index)\" x=\"\(Markup.length(frame.x(bin) + gap / 2))\" "
                bars += "y=\"\(Markup.length(top))\" width=\"\(Markup.length(width))\" "
                bars += "height=\"\(Markup.length(max(0.5, bottom - top)))\">"
                let value = Wording.number(series.values[bin])
                bars += "<title>\(frame.name(bin)), \(Markup.text(series.name)): \(value)</title></rect>"
            }
        }
        return bars
    }
}

/// Which colour is what.
enum Legend {
    /// - Parameter entries: names and what stands behind them, in the order of the colours.
    static func html(_ entries: [(name: String, value: String)]) -> String {
        let items = entries.enumerated().map { index, entry in
            "<li><i class=\"c\(index)\"></i>\(Markup.text(entry.name)) <b>\(Markup.text(entry.value))</b></li>"
        }
        return "<ul class=\"legend\">" + items.joined() + "</ul>\n"
    }
}
