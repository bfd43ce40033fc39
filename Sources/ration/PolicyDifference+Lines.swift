import RationCommandLine
import RationModel
import RationSimulation

/// What differs between two policies, for people.
extension PolicyDifference {
    func lines(_ files: Pair<String>) -> [String] {
        let counts = [("step", steps), ("intent", intents)].map { "\($1) \($0)\($1 == 1 ? "" : "s")" }
        var lines = ["A  \(files.a.printable)", "B  \(files.b.printable)", counts.joined(separator: ", ")]
        lines += [""] + countLines + [""]
        guard differing > 0 else {
            return lines + [compared == 1 ? "the one notification fares the same" : "all \(compared) fare the same"]
        }
        lines.append("\(differing) of \(compared) notifications fare otherwise under B")
        for group in groups {
            lines += ["", "\(group.count)  \(group.change.words)"]
            for example in group.examples { lines += example.lines }
        }
        return lines
    }

    /// The rows that differ, and all totals.
    private var countLines: [String] {
        var table = TextTable([
            .init("type"), .init("event"), .init("why"), .init("A", isRight: true), .init("B", isRight: true),
            .init("change", isRight: true),
        ])
        for row in rows {
            let why = [row.cause, row.reason].filter { !$0.isEmpty }.joined(separator: " ")
            table.append([row.type.isEmpty ? "-" : row.type, row.kind, why] + Self.cells(row.counts))
        }
        for total in totals { table.append(["all", total.kind, ""] + Self.cells(total.counts)) }
        return table.lines()
    }

    private static func cells(_ counts: Pair<Int>) -> [String] {
        let change = counts.b - counts.a
        return ["\(counts.a)", "\(counts.b)", change > 0 ? "+\(change)" : "\(change)"]
    }
}

extension FateChange {
    /// `due under A, evicted (cap) under B`; `due later under B`.
    fileprivate var words: String {
        switch shift {
        case .none:
            "\(Fate.word(kinds.a, reasons.a)) under A, \(Fate.word(kinds.b, reasons.b)) under B"
        case .earlier: "\(Fate.word(kinds.a, reasons.a)) under both, earlier under B"
        case .later: "\(Fate.word(kinds.a, reasons.a)) under both, later under B"
        }
    }
}

extension DifferingFate {
    fileprivate var lines: [String] {
        [
            "   \(app)/\(device.printable)  \(id.printable)  requested \(requestedDate.rfc3339)",
            "      A  \(fates.a.words)", "      B  \(fates.b.words)",
        ]
    }
}

extension Fate {
    fileprivate static func word(_ kind: Kind, _ reason: EventReason) -> String {
        let word =
            switch kind {
            case .due, .expired, .evicted, .cancelled, .replaced: kind.rawValue
            case .held: "held at the end"
            case .queued: "waiting at the end"
            case .absent: "not there"
            }
        return reason == .none ? word : "\(word) (\(reason.name))"
    }

    fileprivate var words: String {
        let word = Self.word(kind, reason)
        switch kind {
        case .due: return "\(word) at \(at.rfc3339)"
        case .held, .queued: return "\(word), planned for \(fireDate.rfc3339)"
        case .expired, .evicted, .cancelled, .replaced:
            return "\(word) at \(at.rfc3339), was planned for \(fireDate.rfc3339)"
        case .absent: return word
        }
    }
}
