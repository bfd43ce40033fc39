import Foundation
import RationJSON

/// What the planner's benchmark prints.
struct PlannerReport {
    let runs: Int
    var sections: [(name: String, figures: [Figure])] = []
    private let machine = Machine()

    init(runs: Int) {
        self.runs = runs
    }

    var figures: [Figure] { sections.flatMap(\.figures) }

    var text: String {
        var lines = ["machine  \(machine.description)", "medians of \(runs) runs, processor time of one thread"]
        if !Machine.isOptimized { lines.insert("NOT OPTIMIZED: swift run -c release bench planner", at: 0) }
        for section in sections { lines += ["", section.name] + section.figures.map { "  " + line(of: $0) } }
        return lines.joined(separator: "\n")
    }

    private func line(of figure: Figure) -> String {
        let value = String(format: "%.\(figure.digits)f", figure.value)
        let measured = "\(figure.text): \(value)\(figure.unit.isEmpty ? "" : " \(figure.unit)")"
        guard let aim = figure.aim else { return measured }
        return measured + " (aim: \(aim.text)\(figure.isMissed ? ", MISSED" : ""))"
    }

    var json: String {
        var writer = JSONWriter(capacity: 4_096)
        writer.raw(#"{"machine":"#)
        writer.string(machine.description)
        writer.raw(Machine.isOptimized ? #","optimized":true"# : #","optimized":false"#)
        writer.raw(#","runs":"#)
        writer.number(Double(runs))
        writer.raw(#","figures":{"#)
        for (index, figure) in figures.enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            writer.string(figure.name)
            writer.byte(UInt8(ascii: ":"))
            writer.number(figure.value)
        }
        writer.raw(#"},"missed":["#)
        for (index, figure) in figures.filter(\.isMissed).enumerated() {
            if index > 0 { writer.byte(UInt8(ascii: ",")) }
            writer.string(figure.name)
        }
        writer.raw("]}")
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
