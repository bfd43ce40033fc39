import RationModel
import RationPlanner
import TestSupport
import Testing

@Suite("A pattern's next instant is the one that a search through all minutes finds")
struct CalendarSearchTests {
    static let dayMilliseconds: Int64 = 86_400_000
    /// 2027-02-26T00:00:00Z, before the end of a February.
    static let start: Int64 = 1_803_600_000_000

    @Test("around generated transitions, of minutes up to a day", arguments: 0..<24)
    func generated(round: Int) {
        var random = SplitMix64(seed: UInt64(round) + 1)
        var offset = Int64.random(in: -720...780, using: &random)
        let first = offset * 60_000
        var transitions: [ZoneTable.Transition] = []
        var time = Self.start / 60_000 + Int64.random(in: 2880...5760, using: &random)
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            offset = Self.changed(offset, &random)
            transitions.append(
                ZoneTable.Transition(start: Instant(milliseconds: time * 60_000), offsetMilliseconds: offset * 60_000))
            time += Int64.random(in: 4320...5760, using: &random)
        }
        let zone = ZoneTable(name: "Test/Generated", offsetMilliseconds: first, transitions: transitions)
        compare(zone, days: 9, patterns: 40, &random, "seed \(round + 1)")
    }

    /// Another offset in minutes: mostly an hour or half an hour away, sometimes up to a day.
    private static func changed(_ offset: Int64, _ random: inout SplitMix64) -> Int64 {
        while true {
            let step = [60, 60, 30, 20, 1440, Int64.random(in: 1...1500, using: &random)].randomElement(using: &random)
            let next = offset + (step ?? 60) * (Bool.random(using: &random) ? 1 : -1)
            if (-1500...1500).contains(next) { return next }
        }
    }

    @Test("where a rule's daylight-saving time begins and ends, far beyond the listed years")
    func rule() {
        var random = SplitMix64(seed: 77)
        let begins = ZoneRule.Change(day: .weekday(month: 3, week: 5, day: 0), milliseconds: 7_200_000)
        let ends = ZoneRule.Change(day: .weekday(month: 3, week: 1, day: 5), milliseconds: 10_800_000)
        for year in [2030, 2101, 2400] {
            let rule = ZoneRule(
                standardMilliseconds: 3_600_000,
                daylight: .init(offsetMilliseconds: 7_200_000, begins: begins, ends: ends))
            let zone = ZoneTable(name: "Test/Rule", offsetMilliseconds: 0, rule: rule)
            let start = Instant.days(year: year, month: 2, day: 27) * Self.dayMilliseconds
            compare(zone, from: start, days: 34, patterns: 12, &random, "seed 77, year \(year)")
        }
    }

    /// Compares generated patterns at generated instants.
    private func compare(
        _ zone: ZoneTable, from start: Int64 = start, days: Int64, patterns: Int, _ random: inout SplitMix64,
        _ seed: String
    ) {
        let margin = 4 * Self.dayMilliseconds
        let end = start + days * Self.dayMilliseconds
        let scan = CalendarScan(zone, from: start - margin, to: end + margin)
        for _ in 0..<patterns {
            let pattern = Self.pattern(near: scan, &random)
            let matches = scan.matches(pattern)
            for after in Self.instants(matches, scan.transitions, start, end, &random) {
                let limit = Int64.random(in: after...end + Self.dayMilliseconds, using: &random)
                for limit in [end, limit, matches.first { $0 > after } ?? end] {
                    let expected = matches.first { $0 > after && $0 <= limit }
                    let found = pattern.next(
                        after: Instant(milliseconds: after), in: zone, until: Instant(milliseconds: limit))
                    #expect(
                        found?.milliseconds == expected,
                        "\(seed): \(pattern) after \(Instant(milliseconds: after).rfc3339), limit \(limit)")
                }
            }
        }
    }

    /// Instants to ask at: some matches and their neighbours, around each transition, and any.
    private static func instants(
        _ matches: [Int64], _ transitions: [Int64], _ start: Int64, _ end: Int64, _ random: inout SplitMix64
    ) -> [Int64] {
        let near = matches.filter { $0 > start && $0 < end }.shuffled(using: &random).prefix(4)
        let around = transitions.filter { $0 > start && $0 < end }.flatMap { transition in
            [-1, 0, 1].map { transition + $0 }
                + [3_600_000, 90_000_000].map { transition + Int64.random(in: -$0...$0, using: &random) }
        }
        let any = (0..<4).map { _ in Int64.random(in: start..<end, using: &random) }
        return near.flatMap { [$0 - 1, $0, $0 + 1] } + around + any
    }

    /// A sound pattern whose components some minute of the stretch has.
    private static func pattern(near scan: CalendarScan, _ random: inout SplitMix64) -> CalendarPattern {
        while true {
            var pattern = CalendarPattern()
            guard let minute = scan.wallMinutes.randomElement(using: &random) else { return pattern }
            let values: [(CalendarPattern.Component, Int)] = [
                (.year, minute.date.year), (.month, minute.date.month), (.day, minute.date.day),
                (.weekday, minute.date.weekday), (.hour, minute.hour), (.minute, minute.minute),
                (.second, Int.random(in: 0...59, using: &random)),
            ]
            for (component, value) in values where Int.random(in: 0...5, using: &random) < (component.isDate ? 1 : 4) {
                pattern[component] = Int16(value)
            }
            if pattern.fault() == nil { return pattern }
        }
    }
}

extension CalendarPattern.Component {
    fileprivate var isDate: Bool { [.year, .month, .day, .weekday].contains(self) }
}
