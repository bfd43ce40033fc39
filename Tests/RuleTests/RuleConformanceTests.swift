import FrequencyCapRule
import QuietHoursRule
import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite("The rules of the tree keep what the planner relies on")
struct RuleConformanceTests {
    private static let typeNames = ["a", "b", "c"]

    /// Checks instances that a seed makes.
    private func check(_ seeds: ClosedRange<UInt64>, _ make: @escaping (inout SplitMix64, PolicyTypes) -> any Rule) {
        var policy = Policy()
        policy.setTypes(Self.typeNames.map(NotificationType.init))
        let types = PolicyTypes(policy)
        for seed in seeds {
            let conformance = RuleConformance(
                make: {
                    var random = SplitMix64(seed: seed)
                    return make(&random, types)
                }, typeCount: types.count, seed: seed)
            for broken in conformance.broken() { Issue.record("\(broken.example)") }
        }
    }

    private static func window(_ random: inout SplitMix64) -> QuietWindow {
        let from = Int.random(in: 0...95, using: &random) * 15
        let length = Int.random(in: 1...80, using: &random) * 15
        var window = QuietWindow(from: from, to: (from + length) % 1440)
        if Bool.random(using: &random) { window.days = WeekdaySet(rawValue: UInt8.random(in: 1...127, using: &random)) }
        if Bool.random(using: &random) { window.types = [["a", "b", "other"].randomElement(using: &random) ?? "a"] }
        window.exempt = LevelSet(rawValue: UInt8.random(in: 0...15, using: &random))
        return window
    }

    @Test("quiet hours")
    func quietHours() {
        check(1...80) { random, types in
            let windows = (0..<Int.random(in: 1...3, using: &random)).map { _ in Self.window(&random) }
            // Windows that leave no minute are refused before they come here.
            var morning = QuietWindow(from: 300, to: 360)
            morning.exempt = []
            let isFree = QuietWindow.faults(of: windows, at: "quietHours").isEmpty
            return QuietHours(isFree ? windows : [morning], types: types)
        }
    }

    @Test("caps that move, and caps that drop")
    func caps() {
        check(1...80) { random, types in
            let minutes = [1, 10, 60, 1440, 10_080].randomElement(using: &random) ?? 60
            var cap = Cap(
                limit: Int.random(in: 1...3, using: &random), perMilliseconds: Int64(minutes) * RuleQuestions.minute)
            let named = ["a", "c"].prefix(Int.random(in: 1...2, using: &random))
            if Bool.random(using: &random) { cap.types = Array(named) }
            if Int.random(in: 0..<4, using: &random) == 0 { cap.overflow = .drop }
            cap.exempt = LevelSet(rawValue: UInt8.random(in: 0...15, using: &random))
            return FrequencyCap(cap, path: "caps[0]", types: types)
        }
    }

    @Test("at most one of a thread a day")
    func threads() {
        check(1...80) { _, _ in OneOfAThreadADay() }
    }

    @Test("quiet hours end what is shown at the first instant that they forbid")
    func endOfShown() {
        for seed in UInt64(1)...60 {
            var random = SplitMix64(seed: seed)
            var window = Self.window(&random)
            (window.types, window.exempt) = (nil, [])
            let rule = QuietHours([window], types: PolicyTypes(Policy()))
            var questions = RuleQuestions(rule: rule, typeCount: 0, seed: seed)
            for _ in 0..<20 {
                let question = questions.question()
                guard question.ask(rule) == .allowed else { continue }
                let limit = question.instant.advanced(by: questions.shortTime())
                let end = question.owner.with {
                    rule.end(of: $0, after: question.instant, until: limit, in: question.zone)
                }
                #expect(end == limit || question.at(end).ask(rule) != .allowed, "seed \(seed), \(question)")
                let before = questions.instants(of: question, before: end)
                #expect(before.allSatisfy { question.at($0).ask(rule) == .allowed }, "seed \(seed), \(question)")
            }
        }
    }
}
