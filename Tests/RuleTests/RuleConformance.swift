import RationModel
import TestSupport

@testable import RationPlanner

/// Checks what the planner relies on in a rule, on generated notifications, zones, dates and instants (`Rule`). Each rule
/// of the tree passes it; a new one is added to `RuleConformanceTests`.
struct RuleConformance {
    enum Law: String, CaseIterable {
        case settings = "what a rule says of itself is always the same"
        case determinism = "the same question has the same answer, also from another instance"
        case forward = "an answer lies after the instant that was asked about"
        case fixedPoint = "the instant that a rule gives is allowed"
        case earliest = "no instant before the one that a rule gives is allowed"
        case reach = "dates as far away as the rule reaches do not matter"
        case counting = "a rule that looks at no dates answers the same beside any, and reaches nowhere"
        case monotone = "more dates never allow an earlier instant, if a rule says that it is symmetric"
        case symmetric = "what is allowed beside all others disturbs none of them, if a rule says so"
        case end = "what ends something that is shown lies neither before it is shown nor after the limit"
    }

    struct Broken {
        var law: Law
        var example: String
    }

    /// Gives an instance of the rule under test; asked twice.
    var make: () -> any Rule
    /// How many types the policy names.
    var typeCount: Int
    var seed: UInt64
    var questions = 60

    /// The laws that the rule breaks, each with its first example.
    func broken() -> [Broken] {
        let (rule, other) = (make(), make())
        var broken: [Broken] = []
        func note(_ law: Law, _ example: @autoclosure () -> String) {
            guard !broken.contains(where: { $0.law == law }) else { return }
            broken.append(Broken(law: law, example: "seed \(seed): \(law.rawValue): \(rule.path), \(example())"))
        }
        let isSteady = settings(rule) == settings(other) && settings(rule) == settings(rule)
        if !isSteady { note(.settings, "\(settings(other))") }
        if rule.counting == .none, rule.reachMilliseconds != 0 { note(.counting, "reach \(rule.reachMilliseconds)") }
        var generator = RuleQuestions(rule: rule, typeCount: typeCount, seed: seed)
        for _ in 0..<questions {
            let question = generator.question()
            for law in Law.allCases where !holds(law, of: rule, other, question, &generator) {
                note(law, "\(question)")
            }
        }
        return broken
    }

    /// What a rule says of itself.
    private struct Settings: Hashable {
        var path: String
        var counting: RuleCounting
        var reachMilliseconds: Int64
        var isSymmetric: Bool
        var bindings: [Bool]
    }

    private func settings(_ rule: any Rule) -> Settings {
        let bindings = (0...typeCount).flatMap { type in
            InterruptionLevel.allCases.map { level in
                rule.binds(type: type < typeCount ? TypeIndex(type) : PolicyTypes.unnamed, level: level)
            }
        }
        return Settings(
            path: rule.path, counting: rule.counting, reachMilliseconds: rule.reachMilliseconds,
            isSymmetric: rule.isSymmetric, bindings: bindings)
    }

    private func holds(
        _ law: Law, of rule: any Rule, _ other: any Rule, _ question: RuleQuestion, _ generator: inout RuleQuestions
    ) -> Bool {
        let answer = question.ask(rule)
        switch law {
        case .settings: return true
        case .determinism: return answer == question.ask(rule) && answer == question.ask(other)
        case .forward: return answer.later.map { $0 > question.instant } ?? true
        case .fixedPoint: return answer.later.map { question.at($0).ask(rule) == .allowed } ?? true
        case .earliest: return isEarliest(answer, rule, question, &generator)
        case .reach: return isReachHonest(answer, rule, question)
        case .counting: return rule.counting != .none || answer == question.ask(rule, countsAll: true)
        case .monotone:
            guard rule.isSymmetric else { return true }
            return generator.fewer(question).ask(rule).earliest(question.instant) <= answer.earliest(question.instant)
        case .symmetric: return isSymmetric(answer, rule, question)
        case .end: return isEndHonest(answer, rule, question, &generator)
        }
    }

    private func isEarliest(
        _ answer: Ruling, _ rule: any Rule, _ question: RuleQuestion, _ generator: inout RuleQuestions
    ) -> Bool {
        guard let later = answer.later, later > question.instant else { return true }
        return generator.instants(of: question, before: later).allSatisfy { question.at($0).ask(rule) != .allowed }
    }

    private func isReachHonest(_ answer: Ruling, _ rule: any Rule, _ question: RuleQuestion) -> Bool {
        var near = question
        near.dates.removeAll {
            abs($0.date.milliseconds - question.instant.milliseconds) >= rule.reachMilliseconds
        }
        return (near.ask(rule) == .allowed) == (answer == .allowed)
    }

    private func isSymmetric(_ answer: Ruling, _ rule: any Rule, _ question: RuleQuestion) -> Bool {
        guard rule.isSymmetric, answer == .allowed, rule.counting.counts(question.owner.type) else { return true }
        return question.dates.indices.allSatisfy { index in
            let neighbour = question.dates[index]
            guard rule.counting.counts(neighbour.owner.type) else { return true }
            var without = question.at(neighbour.date)
            without.owner = neighbour.owner
            without.dates.remove(at: index)
            guard without.ask(rule) == .allowed else { return true }
            without.dates.append(RuleQuestion.Dated(date: question.instant, owner: question.owner))
            return without.ask(rule) == .allowed
        }
    }

    private func isEndHonest(
        _ answer: Ruling, _ rule: any Rule, _ question: RuleQuestion, _ generator: inout RuleQuestions
    ) -> Bool {
        guard answer == .allowed else { return true }
        let limit = question.instant.advanced(by: generator.shortTime())
        let end = question.owner.with {
            rule.end(of: $0, after: question.instant, until: limit, in: question.zone)
        }
        return end >= question.instant && end <= limit
    }
}

extension Ruling {
    var later: Instant? {
        if case .later(let instant) = self { return instant }
        return nil
    }

    /// The first instant that is allowed; `distantFuture` for none.
    func earliest(_ instant: Instant) -> Instant {
        switch self {
        case .allowed: instant
        case .later(let later): later
        case .evicted: .distantFuture
        }
    }
}

extension RuleCounting {
    func counts(_ type: TypeIndex) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .types(let types): types.contains(type)
        }
    }
}
