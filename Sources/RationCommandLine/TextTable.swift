/// A plain table: aligned columns with two spaces between, no rules, no spaces at the ends of lines.
public struct TextTable: Sendable {
    public struct Column: Sendable {
        public var title: String
        public var isRight: Bool

        /// - Parameter isRight: aligns to the right, for numbers.
        public init(_ title: String, isRight: Bool = false) {
            self.title = title
            self.isRight = isRight
        }
    }

    public let columns: [Column]
    private var rows: [[String]] = []

    public init(_ columns: [Column]) {
        self.columns = columns
    }

    public var isEmpty: Bool { rows.isEmpty }

    /// Adds a row; missing cells are empty, and more than there are columns are left out.
    public mutating func append(_ cells: [String]) {
        let padding = [String](repeating: "", count: max(0, columns.count - cells.count))
        rows.append(cells.prefix(columns.count) + padding)
    }

    /// The title and the rows.
    /// - Parameter width: lines are cut there, with `…`.
    public func lines(width: Int = .max) -> [String] {
        let titles = columns.map(\.title)
        var widths = titles.map(DisplayWidth.of)
        for row in rows {
            for (index, cell) in row.enumerated() { widths[index] = max(widths[index], DisplayWidth.of(cell)) }
        }
        return ([titles] + rows).map { row in
            DisplayWidth.cut(line(row, widths), to: width)
        }
    }

    private func line(_ row: [String], _ widths: [Int]) -> String {
        var line = ""
        for (index, cell) in row.enumerated() {
            let space = String(repeating: " ", count: widths[index] - DisplayWidth.of(cell))
            line += (index == 0 ? "" : "  ") + (columns[index].isRight ? space + cell : cell + space)
        }
        while line.last == " " { line.removeLast() }
        return line
    }
}
