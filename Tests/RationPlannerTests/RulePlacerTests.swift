import FrequencyCapRule
import QuietHoursRule
import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite struct RulePlacerTests {
    /// One of those that are placed: its kind and where it starts.
    private struct Placed {
        var type: TypeIndex
        var level: InterruptionLevel
        var start: Instant

        func with<Result>(_ body: (RuledNotification) -> Result) -> Result {
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            return body(RuledNotification(type: type, ownType: nothing, level: level, content: nothing))
        }
    }

    @Test("what is remembered of forbidden stretches gives the dates that are found without it, on generated rules")
    func remembered() {
        for seed in UInt64(1)...300 {
            var generator = PlanGenerator(seed: seed)
            let policy = PlanGenerator.compiled(generator.policy())
            let rules = policy.rules
            let zone = generator.pick(TestZones().zones)
            var remembering = RulePlacer()
            remembering.begin(rules)
            var fixed: [(placed: Placed, date: Instant)] = []
            for number in 0..<40 {
                let placed = Self.placed(&generator, types: policy.types.count)
                let found = placed.with {
                    remembering.settle(
                        $0, from: placed.start, until: .distantFuture, in: zone, rules, isRemembered: true)
                }
                let expected = Self.settle(placed, beside: fixed, in: zone, rules)
                #expect(found.date == expected.date, "seed \(seed), number \(number)")
                #expect(found.eviction == expected.eviction, "seed \(seed), number \(number)")
                guard found.eviction == nil else { continue }
                // Whatever found its place stays, some that no rule binds among them.
                placed.with { remembering.fix(found.date, of: $0, rules) }
                fixed.append((placed, found.date))
            }
        }
    }

    private static func placed(_ generator: inout PlanGenerator, types: Int) -> Placed {
        let type = generator.number(0...types)
        return Placed(
            type: type < types ? TypeIndex(type) : PolicyTypes.unnamed,
            level: generator.pick([.active, .active, .passive, .critical]),
            start: generator.date(after: TestZones.start, minutes: 0...600))
    }

    /// The same beside the same dates, with nothing remembered.
    private static func settle(
        _ placed: Placed, beside fixed: [(placed: Placed, date: Instant)], in zone: ZoneTable, _ rules: CompiledRules
    ) -> (date: Instant, eviction: EventReason?) {
        var placer = RulePlacer()
        placer.begin(rules)
        for other in fixed { other.placed.with { placer.fix(other.date, of: $0, rules) } }
        let settled = placed.with {
            placer.settle($0, from: placed.start, until: .distantFuture, in: zone, rules, isRemembered: false)
        }
        return (settled.date, settled.eviction)
    }

    @Test("an instant beyond the limit is given as it is: no rule is asked again")
    func limit() {
        var policy = Policy()
        policy.quietHours = [QuietWindow(from: 0, to: 720)]
        policy.caps = [Cap(limit: 1, perMilliseconds: 60 * PlanGenerator.minute)]
        let rules = PlanGenerator.compiled(policy).rules
        let placed = Placed(type: PolicyTypes.unnamed, level: .active, start: TestZones.start)
        let noon = TestZones.start.advanced(by: 720 * PlanGenerator.minute)
        for (limit, minutes) in [(noon, Int64(60)), (noon.advanced(by: -1), 0)] {
            var placer = RulePlacer()
            placer.begin(rules)
            placed.with { placer.fix(noon, of: $0, rules) }
            let settled = placed.with {
                placer.settle($0, from: placed.start, until: limit, in: .utc, rules, isRemembered: false)
            }
            #expect(settled.date == noon.advanced(by: minutes * PlanGenerator.minute))
        }
    }
}
