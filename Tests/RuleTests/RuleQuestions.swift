import RationModel
import TestSupport

@testable import RationPlanner

/// Questions from a seed, about the instants at which a rule may change its mind.
struct RuleQuestions {
    let rule: any Rule
    let typeCount: Int
    private var random: SplitMix64

    /// 2026-03-05T00:00:00Z, a Thursday.
    static let start = Instant(milliseconds: 1_772_668_800_000)
    static let minute: Int64 = 60_000
    static let zones = [
        ZoneTable.utc, zone("East", 345), zone("West", -300, [(31, -240)]), zone("Midnight", 0, [(24, 60), (72, -90)]),
        zone("Weekly", 120, [(20, 60), (40, 90), (60, -600), (90, 840)]),
    ]

    private static func zone(
        _ name: String, _ minutes: Int64, _ changes: [(hours: Int64, minutes: Int64)] = []
    ) -> ZoneTable {
        let transitions = changes.map {
            ZoneTable.Transition(
                start: start.advanced(by: $0.hours * 60 * minute), offsetMilliseconds: $0.minutes * minute)
        }
        return ZoneTable(name: name, offsetMilliseconds: minutes * minute, transitions: transitions)
    }

    init(rule: any Rule, typeCount: Int, seed: UInt64) {
        self.rule = rule
        self.typeCount = typeCount
        random = SplitMix64(seed: seed)
    }

    private mutating func number(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }

    private mutating func owner() -> RuleQuestion.Owner {
        let type = number(0...Int64(typeCount))
        var owner = RuleQuestion.Owner(type: type < typeCount ? TypeIndex(type) : PolicyTypes.unnamed)
        if owner.type == PolicyTypes.unnamed, number(0...1) == 0 { owner.ownType = "other" }
        owner.level = InterruptionLevel.allCases.randomElement(using: &random) ?? .active
        owner.thread = ["", "x", "y"].randomElement(using: &random) ?? ""
        return owner
    }

    mutating func question() -> RuleQuestion {
        let reach = max(rule.reachMilliseconds, 60 * Self.minute)
        var question = RuleQuestion(
            owner: owner(), instant: Self.start.advanced(by: number(0...4 * 1440) * Self.minute), zone: .utc)
        question.zone = Self.zones.randomElement(using: &random) ?? .utc
        for _ in 0..<number(0...7) {
            // On a grid, so that dates coincide and stand exactly as far apart as the rule reaches.
            let away = number(-8...8) * reach / 4 + [-1, 0, 0, 0, 1][Int(number(0...4))]
            question.dates.append(RuleQuestion.Dated(date: question.instant.advanced(by: away), owner: owner()))
        }
        return question.at(question.instant.advanced(by: [-1, 0, 0, 1, 29_000][Int(number(0...4))]))
    }

    /// The same question beside some of its dates.
    mutating func fewer(_ question: RuleQuestion) -> RuleQuestion {
        var fewer = question
        fewer.dates.removeAll { _ in number(0...1) == 0 }
        return fewer
    }

    /// Instants after the one of a question at which its answer may change: beside and one reach from each date, and
    /// minutes.
    mutating func instants(of question: RuleQuestion, before end: Instant) -> [Instant] {
        let reach = rule.reachMilliseconds
        var instants = [question.instant.advanced(by: 1), end.advanced(by: -1)]
        for dated in question.dates {
            for edge in [-reach, 0, reach] {
                instants += (-1...1).map { dated.date.advanced(by: edge + $0) }
            }
        }
        let minutes = (end.milliseconds - question.instant.milliseconds) / Self.minute
        let first = question.instant.milliseconds / Self.minute
        for index in 0..<40 where minutes > 0 {
            let minute = minutes <= 40 ? min(Int64(index), minutes) : number(0...minutes)
            instants.append(Instant(milliseconds: (first + minute) * Self.minute))
        }
        return instants.filter { $0 > question.instant && $0 < end }
    }

    mutating func shortTime() -> Int64 { number(0...3 * 1440) * Self.minute + number(0...1) }
}
