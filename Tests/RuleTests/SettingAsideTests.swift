import QuietHoursRule
import RationModel
import RationPlanner
import Testing

@Suite("A rule that does not settle is set aside")
struct SettingAsideTests {
    private static let day = Instant.dayMilliseconds

    private func core(_ rules: GivenRules, maxDelay: Int64? = nil) -> RuledCore {
        var policy = Policy()
        policy.quietHours = [QuietWindow(from: 22 * 60, to: 450)]
        policy.maxDelayMilliseconds = maxDelay
        return RuledCore(policy, rules: [rules, QuietHoursSource()])
    }

    @Test(
        "one that goes back, stays where it is or moves on for ever: the others plan, the decision names it",
        arguments: [-60_000, 0, 1, 60_000])
    func unsettled(step: Int64) {
        var core = core(GivenRules(DatelessRule("endless") { .later($0.advanced(by: step)) }))
        core.decide(
            at: RuledCore.start, RuledCore.schedule("a", at: "2026-03-05T08:00:00Z"),
            RuledCore.schedule("b", at: "2026-03-05T23:00:00Z"))
        #expect(core.plan == ["a 2026-03-05T08:00:00.000Z", "b 2026-03-06T07:30:00.000Z"])
        #expect(core.setAside == ["endless"])
        #expect(core.decision.setAside.first?.recipient == "app/d")
    }

    @Test("what such a rule forbids for ever fires at its time", arguments: [-60_000, 0, 1, 60_000])
    func fires(step: Int64) {
        var core = core(GivenRules(DatelessRule("endless") { .later($0.advanced(by: step)) }))
        core.decide(at: RuledCore.start, RuledCore.schedule("a", at: "2026-03-05T08:00:00Z"))
        #expect(core.run(until: "2026-03-05T12:00:00Z") == ["due a 2026-03-05T08:00:00.000Z"])
        #expect(core.plan == [])
    }

    @Test("one that moves 64 times in a row and then allows is not set aside")
    func slow() {
        let end = Instant(rfc3339: "2026-03-05T09:00:00Z") ?? .distantPast
        var core = core(
            GivenRules(DatelessRule("slow") { $0 < end ? .later($0.advanced(by: 60_000)) : .allowed }))
        core.decide(at: RuledCore.start, RuledCore.schedule("a", at: "2026-03-05T07:56:00Z"))
        #expect(core.plan == ["a 2026-03-05T09:00:00.000Z"])
        #expect(core.setAside == [])
    }

    @Test("of two that never agree one is set aside")
    func fight() {
        let odd = DatelessRule("odd") {
            let day = $0.milliseconds / Self.day
            return day % 2 == 1 ? .allowed : .later(Instant(milliseconds: (day + 1) * Self.day))
        }
        let even = DatelessRule("even") {
            let day = $0.milliseconds / Self.day
            return day % 2 == 0 ? .allowed : .later(Instant(milliseconds: (day + 1) * Self.day))
        }
        var core = core(GivenRules(odd, even))
        core.decide(at: RuledCore.start, RuledCore.schedule("a", at: "2026-03-05T08:00:00Z"))
        #expect(core.plan == ["a 2026-03-05T08:00:00.000Z"])
        #expect(core.setAside.count == 1)
    }
}
