import Foundation
import RationJSON

/// What a benchmark of several sections prints: figures with their aims.
struct FigureReport {
    struct Section {
        var name: String
        var figures: [Figure] = []
        /// What else is worth a line, for people.
        var notes: [String] = []
    }

    /// The benchmark's name on the command line.
    let name: String
    let runs: Int
    /// What all figures have in common, for people.
    let measured: String
    var sections: [Section] = []
    private let machine = Machine()

    init(_ name: String, runs: Int, measured: String) {
        (self.name, self.runs, self.measured) = (name, runs, measured)
    }

    var figures: [Figure] { sections.flatMap(\.figures) }

    /// - Throws: `BenchmarkError` with what missed its aim.
    func requireAims() throws {
        let missed = figures.filter(\.isMissed).map(\.name)
        guard missed.isEmpty else { throw BenchmarkError("missed: \(missed.joined(separator: ", "))") }
    }

    var text: String {
        var lines = ["machine  \(machine.description)", measured]
        if !Machine.isOptimized { lines.insert("NOT OPTIMIZED: swift run -c release bench \(name)", at: 0) }
        for section in sections { lines += [""] + text(of: section) }
        return lines.joined(separator: "\n")
    }

    func text(of section: Section) -> [String] {
        [section.name] + section.figures.map { "  " + line(of: $0) } + section.notes.map { "  " + $0 }
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
            if figure.value.isFinite { writer.number(figure.value) } else { writer.null() }
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
