import RationCommandLine
import RationModel

/// How many events there were, by type and kind.
struct EventCounts {
    private var counts: [String: [Int]] = [:]
    private(set) var total = 0

    private static let kinds: [EventKind] = [.accepted, .queued, .evicted, .expired, .due, .cancelled]
    /// Types that have a row of their own; the others share one.
    private static let typeLimit = 20
    private static let others = "(others)"

    mutating func add(_ kind: EventKind, of type: String) {
        guard let column = Self.kinds.firstIndex(of: kind) else { return }
        let row = counts[type] != nil || counts.count < Self.typeLimit ? type : Self.others
        counts[row, default: [Int](repeating: 0, count: Self.kinds.count)][column] += 1
        total += 1
    }

    /// A row for each type, by name, and one for all.
    func lines(width: Int) -> [String] {
        var table = TextTable([.init("type")] + Self.kinds.map { .init("\($0.name)", isRight: true) })
        var sums = [Int](repeating: 0, count: Self.kinds.count)
        for (type, row) in counts.sorted(by: { $0.key < $1.key }) {
            table.append([type] + row.map(String.init))
            for (column, count) in row.enumerated() { sums[column] += count }
        }
        table.append(["all"] + sums.map(String.init))
        return table.lines(width: width)
    }
}
