internal import RationModel

/// What plots over time share: size, axes, the columns of the bins.
struct PlotFrame {
    static let width = 720.0
    static let height = 260.0
    static let left = 58.0
    static let right = 10.0
    static let top = 12.0
    static let bottom = 30.0

    let bins: AnalyticsReport.Bins
    /// The value at the top.
    let most: Double
    private let step: Double
    private let unit: String

    /// - Parameters:
    ///   - most: the largest value that is shown.
    ///   - unit: stands behind the numbers of the axis.
    init(_ bins: AnalyticsReport.Bins, most: Double, unit: String = "") {
        (self.bins, self.unit) = (bins, unit)
        step = Self.step(most)
        self.most = max(step, (most / step).rounded(.up) * step)
    }

    /// A step of 1, 2 or 5 times a power of ten, whole, that divides the height into at most five parts.
    private static func step(_ most: Double) -> Double {
        var power = 1.0
        while power < 1e18 {
            for factor in [1.0, 2, 5] where most <= factor * power * 5 { return factor * power }
            power *= 10
        }
        return power
    }

    var columnWidth: Double { (Self.width - Self.left - Self.right) / Double(bins.count) }

    func x(_ bin: Int) -> Double { Self.left + Double(bin) * columnWidth }

    func y(_ value: Double) -> Double {
        Self.top + (Self.height - Self.top - Self.bottom) * (1 - value / most)
    }

    /// The drawing around a plot.
    func drawing(_ label: String, _ body: String) -> String {
        let (width, height) = (Markup.length(Self.width), Markup.length(Self.height))
        return """
            <div class="scroll"><svg viewBox="0 0 \(width) \(height)" role="img" aria-label="\(Markup.text(label))">
            \(valueAxis)\(timeAxis)\(body)</svg></div>

            """
    }

    private var valueAxis: String {
        var axis = ""
        var value = 0.0
        while value <= most {
            let y = Markup.length(y(value))
            let (left, right) = (Markup.length(Self.left), Markup.length(Self.width - Self.right))
            axis += "<line class=\"grid\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(y)\" y2=\"\(y)\"/>"
            axis += "<text class=\"value\" x=\"\(Markup.length(Self.left - 8))\" y=\"\(y)\" dy=\"0.32em\">"
            axis += "\(short(value))\(unit)</text>"
            value += step
        }
        return axis
    }

    /// `1,500`, `20k`, `3M`; steps are whole.
    private func short(_ value: Double) -> String {
        let number = Int64(min(value, 9e18))
        if number >= 1_000_000, number % 100_000 == 0 { return scaled(number / 100_000) + "M" }
        if number >= 10_000, number % 100 == 0 { return scaled(number / 100) + "k" }
        return Wording.number(number)
    }

    private func scaled(_ tenths: Int64) -> String {
        tenths % 10 == 0 ? Wording.number(tenths / 10) : "\(Wording.number(tenths / 10)).\(tenths % 10)"
    }

    /// A label under about every sixth part of the bins.
    private var timeAxis: String {
        let each = max(1, (bins.count + 5) / 6)
        var axis = ""
        var lastDay = ""
        for bin in stride(from: 0, to: bins.count, by: each) {
            let begin = bins.begin(bin).rfc3339
            let day = String(begin.prefix(10))
            let time = String(begin.dropFirst(11).prefix(5))
            let label = bins.hoursEach % 24 == 0 ? day : day == lastDay ? time : "\(day.dropFirst(5)) \(time)"
            lastDay = day
            let x = Markup.length(x(bin))
            let (y, end) = (Markup.length(Self.height - Self.bottom), Markup.length(Self.height - 24))
            axis += "<line class=\"tick\" x1=\"\(x)\" x2=\"\(x)\" y1=\"\(y)\" y2=\"\(end)\"/>"
            axis += "<text class=\"time\" x=\"\(x)\" y=\"\(Markup.length(Self.height - 9))\">\(label)</text>"
        }
        return axis
    }

    /// A bin for people: when it begins.
    func name(_ bin: Int) -> String {
        let begin = bins.begin(bin).rfc3339
        return bins.hoursEach % 24 == 0 ? String(begin.prefix(10)) : Wording.minute(begin)
    }
}
