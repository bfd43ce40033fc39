/// Lines over time, one for each series; a bin without a value breaks a line.
struct LinePlot {
    struct Line {
        var name: String
        var values: [Double?]
        /// What is told of a value.
        var word: (Double) -> String
    }

    let title: String
    let explanation: String
    let bins: AnalyticsReport.Bins?
    let unit: String
    let lines: [Line]

    init(
        _ title: String, _ explanation: String, _ bins: AnalyticsReport.Bins?, unit: String = "", _ lines: [Line]
    ) {
        (self.title, self.explanation, self.bins) = (title, explanation, bins)
        (self.unit, self.lines) = (unit, lines)
    }

    var html: String {
        let head = "<section><h2>\(Markup.text(title))</h2><p class=\"note\">\(Markup.text(explanation))</p>\n"
        guard let bins else { return head + "<p class=\"none\">None in this time.</p></section>\n" }
        let most = lines.flatMap(\.values).compactMap { $0 }.max() ?? 0
        let frame = PlotFrame(bins, most: most, unit: unit)
        let legend = lines.map { line in (line.name, (line.values.last ?? nil).map(line.word) ?? "") }
        return head + Legend.html(legend)
            + frame.drawing("\(title) over time", drawn(frame) + columns(frame)) + "</section>\n"
    }

    private func drawn(_ frame: PlotFrame) -> String {
        var drawn = ""
        for (index, line) in lines.enumerated() {
            var path = ""
            for (bin, value) in line.values.enumerated() {
                guard let value else { continue }
                let isJoined = bin > 0 && line.values[bin - 1] != nil
                let x = frame.x(bin) + frame.columnWidth / 2
                path += "\(isJoined ? "L" : "M")\(Markup.length(x)) \(Markup.length(frame.y(value)))"
                if frame.bins.count == 1 { path += "h0.01" }
            }
            drawn += "<path class=\"line c\(index)\" d=\"\(path)\"/>"
        }
        return drawn
    }

    /// What is told of each bin, wherever in its column one points.
    private func columns(_ frame: PlotFrame) -> String {
        (0..<frame.bins.count).map { bin in
            let words = lines.compactMap { line in line.values[bin].map { "\(line.name): \(line.word($0))" } }
            let title = Markup.text("\(frame.name(bin)), \(words.joined(separator: ", "))")
            let height = Markup.length(PlotFrame.height - PlotFrame.top - PlotFrame.bottom)
            return "<rect class=\"column\" x=\"\(Markup.length(frame.x(bin)))\" y=\"\(Markup.length(PlotFrame.top))\" "
                + "width=\"\(Markup.length(frame.columnWidth))\" height=\"\(height)\"><title>\(title)</title></rect>"
        }.joined()
    }
}
