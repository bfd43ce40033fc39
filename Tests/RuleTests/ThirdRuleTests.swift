import FrequencyCapRule
import QuietHoursRule
import RationModel
import RationPlanner
import Testing

@Suite("A third rule needs no change in the planner: at most one of a thread a day")
struct ThirdRuleTests {
    private static let rules: [any RuleSource] = [QuietHoursSource(), FrequencyCaps(), ThreadRuleSource()]

    private func core(quiet: QuietWindow? = nil, caps: [Cap] = []) -> RuledCore {
        var policy = Policy()
        policy.quietHours = quiet.map { [$0] } ?? []
        policy.caps = caps
        return RuledCore(policy, rules: Self.rules)
    }

    private func decideThree(_ core: inout RuledCore) {
        core.decide(
            at: RuledCore.start, RuledCore.schedule("a", at: "2026-03-05T08:00:00Z", thread: "water"),
            RuledCore.schedule("b", at: "2026-03-05T09:00:00Z", thread: "water"),
            RuledCore.schedule("c", at: "2026-03-05T10:00:00Z", thread: "food"),
            RuledCore.schedule("n", at: "2026-03-05T11:00:00Z"), RuledCore.schedule("o", at: "2026-03-05T11:00:00Z"))
    }

    @Test("the second of a thread goes to the next day's first instant; other threads, and none, stay")
    func nextDay() {
        var core = core()
        decideThree(&core)
        #expect(
            core.plan == [
                "a 2026-03-05T08:00:00.000Z", "c 2026-03-05T10:00:00.000Z", "n 2026-03-05T11:00:00.000Z",
                "o 2026-03-05T11:00:00.000Z", "b 2026-03-06T00:00:00.000Z",
            ])
    }

    @Test("quiet hours carry it on from there, and a cap beside what else counts")
    func withOtherRules() {
        var quiet = core(quiet: QuietWindow(from: 22 * 60, to: 450))
        decideThree(&quiet)
        #expect(quiet.plan.last == "b 2026-03-06T07:30:00.000Z")
        var capped = core(quiet: QuietWindow(from: 22 * 60, to: 450), caps: [Cap(limit: 1, perMilliseconds: 3_600_000)])
        decideThree(&capped)
        capped.decide(at: RuledCore.start, RuledCore.schedule("x", at: "2026-03-06T07:00:00Z", thread: "more"))
        #expect(capped.plan.suffix(2) == ["b 2026-03-06T07:30:00.000Z", "x 2026-03-06T08:30:00.000Z"])
    }

    @Test("the day is the recipient's")
    func recipientsDay() {
        var core = core()
        core.decide(
            at: RuledCore.start, #"{"op":"device","app":"app","device":"d","timeZone":"Asia/Kathmandu"}"#,
            RuledCore.schedule("a", at: "2026-03-05T18:14:59.999Z", thread: "t"),
            RuledCore.schedule("b", at: "2026-03-05T18:15:00Z", thread: "t"),
            RuledCore.schedule("c", at: "2026-03-06T17:00:00Z", thread: "t"))
        #expect(
            core.plan == [
                "a 2026-03-05T18:14:59.999Z", "b 2026-03-05T18:15:00.000Z", "c 2026-03-06T18:15:00.000Z",
            ])
    }

    @Test("what has fired counts on its day")
    func history() {
        var core = core()
        core.decide(at: RuledCore.start, RuledCore.schedule("a", at: "2026-03-05T08:00:00Z", thread: "t"))
        #expect(core.run(until: "2026-03-05T08:00:00Z") == ["due a 2026-03-05T08:00:00.000Z"])
        core.decide(
            at: "2026-03-05T09:00:00Z", RuledCore.schedule("b", at: "2026-03-05T12:00:00Z", thread: "t"),
            RuledCore.schedule("c", at: "2026-03-05T12:00:00Z", thread: "u"))
        #expect(core.plan == ["c 2026-03-05T12:00:00.000Z", "b 2026-03-06T00:00:00.000Z"])
        core.decide(at: "2026-03-06T09:00:00Z")
        #expect(core.plan == [])
    }

    @Test("cancelling the first of a thread lets the second back to its day")
    func cancelled() {
        var core = core()
        decideThree(&core)
        core.decide(at: RuledCore.start, #"{"op":"cancel","app":"app","device":"d","id":"a"}"#)
        #expect(core.plan.first == "b 2026-03-05T09:00:00.000Z")
    }

    @Test("one of a lower number comes first on its day, whenever it came")
    func priority() {
        var policy = Policy()
        var first = NotificationType(name: "first")
        first.priority = 0
        policy.setTypes([first])
        var core = RuledCore(policy, rules: Self.rules)
        decideThree(&core)
        core.decide(
            at: RuledCore.start,
            RuledCore.schedule("p", at: "2026-03-05T20:00:00Z", thread: "water", #","type":"first""#))
        #expect(core.plan.contains("p 2026-03-05T20:00:00.000Z"))
        #expect(core.plan.suffix(2) == ["a 2026-03-06T00:00:00.000Z", "b 2026-03-07T00:00:00.000Z"])
    }
}
