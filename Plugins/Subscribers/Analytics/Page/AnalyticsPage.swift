internal import RationModel

/// A report as one HTML page that needs nothing else: no script, no font, no picture from elsewhere. It is the same for
/// the same report, byte for byte.
public struct AnalyticsPage {
    let report: AnalyticsReport

    /// Rows of one table; the rest is told by number.
    static let mostRows = 50

    public init(_ report: AnalyticsReport) {
        self.report = report
    }

    public var html: String {
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
        <meta name="color-scheme" content="light dark"><title>Ration analytics \(Markup.text(report.log))</title>
        <style>\(Self.style)</style></head><body><main>
        \(head)\(tiles)\(plots)\(tables)</main></body></html>

        """
    }

    private var head: String {
        let stretch = report.hours.map { hours in
            "\(hour(hours.lowerBound)) to \(hour(hours.upperBound + 1)) UTC"
        }
        return """
            <header><h1>Ration analytics</h1>
            <p>\(stretch ?? "no events in this time"), log <code>\(Markup.text(report.log))</code>, \
            told at \(Wording.minute(report.now.rfc3339)) UTC</p></header>

            """
    }

    private func hour(_ hour: Int64) -> String {
        Wording.minute(Instant(milliseconds: hour * PageFold.hourMilliseconds).rfc3339)
    }

    private var tiles: String {
        let current = report.current
        let evicted = report.types.reduce(0) { $0 + $1[.evicted] }
        let forGood = report.types.reduce(0) { $0 + $1.evictedForGood }
        let tiles: [(String, String, String)] = [
            (Wording.number(report.events), "events", "in this time"),
            (Wording.number(evicted), "evictions", "\(Wording.number(forGood)) for good"),
            (Wording.number(current.held), "slots in use", "now"),
            (Wording.number(current.queued), "waiting for a slot", "now"),
            (
                Wording.percent(current.overPercent), "of recipients over budget",
                "\(Wording.number(current.over)) of \(Wording.number(current.recipients)) now"
            ),
        ]
        let items = tiles.map { "<li><b>\($0.0)</b><span>\($0.1)</span><small>\($0.2)</small></li>" }
        return "<ul class=\"tiles\">" + items.joined() + "</ul>\n"
    }

    private var plots: String {
        let each = report.bins.map { $0.hoursEach == 1 ? "an hour" : "\(Wording.span($0.hoursEach * 3_600_000))" } ?? ""
        let bins = report.bins
        let whole: (Double) -> String = { Wording.number(Int64($0)) }
        return BarPlot("Evictions by type", "Each bar is \(each).", bins, report.evictionsByType).html
            + BarPlot(
                "Evictions by reason", "slots: back into the queue, or dropped; the others are for good.", bins,
                report.evictionsByReason
            ).html
            + LinePlot(
                "Slots in use", "At the end of each \(each).", bins,
                [
                    .init(name: "held", values: report.samples.map { $0.map { Double($0.held) } }, word: whole),
                    .init(name: "waiting", values: report.samples.map { $0.map { Double($0.queued) } }, word: whole),
                ]
            ).html
            + LinePlot(
                "Recipients over budget", "Those with something waiting, of all with something pending.", bins,
                unit: "%",
                [.init(name: "over budget", values: report.samples.map { $0?.overPercent }, word: Wording.percent)]
            ).html
            + BarPlot(
                "Moves by cause", "Changes of what was already known: of its slot, its date or its content.", bins,
                report.changesByCause
            ).html
    }
}
