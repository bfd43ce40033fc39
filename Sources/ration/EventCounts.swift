import RationCommandLine
import RationModel

/// How many events there were, by type and kind.
struct EventCounts {
    private var counts: [String: [Int]] = [:]
    /// Feedback has no type.
    private var feedback = [Int](repeating: 0, count: EventKind.feedback.count)
    private(set) var total = 0

    private static let kinds: [EventKind] = [.accepted, .queued, .evicted, .expired, .due, .cancelled]
    /// Types that have a row of their own; the others share one.
    private static let typeLimit = 20
    private static let others = "(others)"

    mutating func add(_ kind: EventKind, of type: String) {
        total += 1
        if let place = EventKind.feedback.firstIndex(of: kind) { feedback[place] += 1 }
        guard let column = Self.kinds.firstIndex(of: kind) else { return }
        let row = counts[type] != nil || counts.count < Self.typeLimit ? type : Self.others
        counts[row, default: [Int](repeating: 0, count: Self.kinds.count)][column] += 1
    }

    /// A row for each type, by name, one for all, and a line of feedback if there was any.
    func lines(width: Int) -> [String] {
        var table = TextTable([.init("type")] + Self.kinds.map { .init("\($0.name)", isRight: true) })
        var sums = [Int](repeating: 0, count: Self.kinds.count)
        for (type, row) in counts.sorted(by: { $0.key < $1.key }) {
            table.append([type] + row.map(String.init))
            for (column, count) in row.enumerated() { sums[column] += count }
        }
        table.append(["all"] + sums.map(String.init))
        return table.lines(width: width) + feedbackLines(width: width)
    }

    private func feedbackLines(width: Int) -> [String] {
        guard feedback.contains(where: { $0 > 0 }) else { return [] }
        let words = zip(EventKind.feedback, feedback).map { "\($0.name) \($1)" }
        return [DisplayWidth.cut("feedback: " + words.joined(separator: ", "), to: width)]
    }
}
