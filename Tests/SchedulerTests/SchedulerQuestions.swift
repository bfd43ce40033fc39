import RationModel
import RationPluginKit
import TestSupport

/// Questions from a seed: rows for any tables, of which most can be used, about instants that lie near to each other.
struct SchedulerQuestions {
    let tables: [FactTable]
    private var random: SplitMix64
    /// What the facts lie around.
    private var middle = Instant(milliseconds: 0)
    /// Where the recipient is, most of the time.
    private var zone = "UTC"

    private static let day = Instant.dayMilliseconds
    /// Weeks in which clocks change: Madrid, Lord Howe (by half an hour), São Paulo (at midnight), Apia (a day is left out), a
    /// leap day, and a common day.
    private static let middles = [
        "2026-03-28T12:00:00Z", "2026-10-25T00:30:00Z", "2026-04-04T15:00:00Z", "2018-11-04T02:00:00Z",
        "2011-12-30T09:00:00Z", "2028-02-28T23:00:00Z", "2026-06-15T08:00:00Z",
    ].map(Instant.at)
    private static let zones = [
        "UTC", "Europe/Madrid", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kathmandu",
        "America/Los_Angeles",
    ]

    init(tables: [FactTable], seed: UInt64) {
        self.tables = tables
        random = SplitMix64(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    private mutating func hits(oneIn count: Int64) -> Bool { number(1...count) == 1 }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(number(0...Int64(values.count - 1)))] }

    mutating func question() -> SchedulerQuestion {
        (middle, zone) = (pick(Self.middles), pick(Self.zones))
        let counts: [Int64] = [0, 1, 1, 2, 3, 6, 12]
        let rows = tables.map { table in
            (0..<pick(counts)).map { number in
                FactRow(number: Int(number) + 1, table.columns.map { value($0) })
            }
        }
        let facts = RecipientFacts(app: "com.example.habits", device: "phone-1", tables: rows)
        let extremes: [Instant] = [.distantPast, .distantFuture, Instant(milliseconds: 0)]
        return SchedulerQuestion(facts: facts, now: hits(oneIn: 25) ? pick(extremes) : near(days: 20))
    }

    mutating func shuffled(_ question: SchedulerQuestion) -> SchedulerQuestion {
        var shuffled = question
        for place in shuffled.facts.tables.indices { shuffled.facts.tables[place].shuffle(using: &random) }
        return shuffled
    }

    /// Instants before the next change at which something may differ.
    mutating func instants(
        of question: SchedulerQuestion, before end: Instant?, about answer: WantedNotifications
    ) -> [Instant] {
        let now = question.now
        let last = min(end ?? .distantFuture, now.advanced(by: 60 * Self.day)).advanced(by: -1)
        guard last > now else { return [] }
        var instants = [now.advanced(by: 1), last]
        for _ in 0..<4 { instants.append(Instant(milliseconds: number(now.milliseconds...last.milliseconds))) }
        for notification in answer.notifications.shuffled(using: &random).prefix(4) {
            for instant in [RecipientClock.instants(of: notification.date).lowerBound, notification.expires] {
                instants += [instant.advanced(by: -1), instant, instant.advanced(by: 1)]
            }
        }
        return instants.filter { $0 > now && $0 <= last }
    }

    private mutating func near(days: Int64) -> Instant {
        let step = pick([60_000, 900_000, 3_600_000, Self.day])
        let away = number(-days * Self.day / step...days * Self.day / step) * step
        return middle.advanced(by: away + (hits(oneIn: 4) ? number(-1...1) : 0))
    }

    private mutating func value(_ column: FactColumn) -> FactValue {
        if column.isOptional, hits(oneIn: 2) { return .null }
        switch column.form {
        case .text: return .text(text(column.name))
        case .truth: return .truth(hits(oneIn: 4))
        case .wholeNumber: return .wholeNumber(hits(oneIn: 8) ? pick([.min, -1, .max]) : number(0...100))
        case .number:
            let absurd = [-1, 0, -0.0, 1e308, Double.leastNonzeroMagnitude, .infinity, .nan, 1e-9]
            return .number(hits(oneIn: 6) ? pick(absurd) : Double(number(1...400)) / 8)
        case .instant: return .instant(hits(oneIn: 12) ? pick([.distantPast, .distantFuture]) : near(days: 25))
        }
    }

    private mutating func text(_ column: String) -> String {
        if hits(oneIn: 20) {
            return pick(["", " ", "a\u{7}", "\u{9C}", String(repeating: "x", count: 300), "e\u{301}\u{1F600}"])
        }
        switch column {
        case "timeZone": return hits(oneIn: 12) ? "Europe/Atlantis" : hits(oneIn: 4) ? pick(Self.zones) : zone
        case "times":
            return pick(["07:30", "21:00,07:30", "02:30, 02:10", "00:00", "23:59", "02:00,02:30,03:00", "24:00"])
        case "weekdays": return pick(["daily", "weekdays", "weekend", "mon, wed,fri", "sun", "Mon"])
        case "starts", "ends", "date": return hits(oneIn: 9) ? "2026-02-30" : String(near(days: 15).rfc3339.prefix(10))
        case "step": return pick(["day1", "day3", "day7", "other"])
        default: return pick(["a", "b", "c", "\u{E9}", "e\u{301}"])
        }
    }
}
