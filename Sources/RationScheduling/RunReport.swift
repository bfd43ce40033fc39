internal import RationPluginKit

/// Lines about single things, the first few of many.
struct ToldLines: Equatable {
    private(set) var lines: [String] = []
    private(set) var more = 0

    mutating func tell(_ line: @autoclosure () -> String) {
        if lines.count < SchedulerLimits.toldPerRun { lines.append(line()) } else { more += 1 }
    }
}

/// What became of requests.
struct AnswerTotals: Equatable {
    var scheduled = 0
    var cancelled = 0
    /// By code.
    var rejected: [String: Int] = [:]
    var told = ToldLines()
}

/// What one run did, for its line.
struct RunReport {
    /// Why there was a run.
    enum Reason: String, Hashable, Sendable {
        case start
        case periodic
        case facts = "facts changed"
        case signal
        case due = "a date has come"
        case log = "new event log"
        case once
    }

    let number: Int
    let reason: Reason
    var recipients = 0
    var changed = 0
    /// Rows and notifications that did not count.
    var leftOut = 0
    var answers = AnswerTotals()
    var milliseconds: Int64 = 0

    init(number: Int, reason: Reason) {
        (self.number, self.reason) = (number, reason)
    }

    /// Whether nobody would miss its line.
    var isQuiet: Bool { reason == .periodic && changed == 0 && answers == AnswerTotals() }

    var line: String {
        let rejected = answers.rejected.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let codes = rejected.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let total = rejected.reduce(0) { $0 + $1.value }
        return "run \(number) (\(reason.rawValue)): \(recipients) recipients, \(changed) changed; "
            + "\(answers.scheduled) scheduled, \(answers.cancelled) cancelled, "
            + "\(total) rejected\(codes.isEmpty ? "" : " (\(codes))"), \(leftOut) left out; \(milliseconds) ms"
    }
}

extension FactFault {
    /// For people.
    /// - Parameter recipient: nil where the row names none.
    func line(of recipient: String?) -> String {
        "\(table) row \(row)\(recipient.map { " (\($0))" } ?? ""): column '\(column)' \(message)"
    }
}
