import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite("Planning anew in slices ends as if the policy had been in force from the start")
struct RevisionGenerationTests {
    private static let parts: [ClosedRange<UInt64>] = [1...100, 101...200]

    @Test("generated policies and intents, where nothing is removed or has fired", arguments: parts)
    func generated(seeds: ClosedRange<UInt64>) {
        for seed in seeds { check(seed) }
    }

    /// A policy that removes nothing.
    private func policy(_ generator: inout PlanGenerator) -> Policy {
        var policy = generator.policy()
        policy.queueLimit = 1024
        policy.maxDelayMilliseconds = nil
        policy.setTypes(
            policy.types.map {
                var type = $0
                type.maxDelayMilliseconds = nil
                return type
            })
        for index in policy.caps.indices { policy.caps[index].overflow = .move }
        return policy
    }

    private func requests(_ generator: inout PlanGenerator) -> [GeneratedRequest] {
        (0..<40).map { _ in
            var request =
                generator.chance(12) ? generator.device() : generator.schedule(now: TestZones.start)
            if case .at(let date) = request.trigger, date <= TestZones.start { request.trigger = .after(seconds: 60) }
            // A tz database moves what floats alone.
            request.timeZone = ""
            request.expires = .distantFuture
            request.device = "d\(generator.number(0...3))"
            return request
        }
    }

    private func check(_ seed: UInt64) {
        var generator = PlanGenerator(seed: seed)
        var revised = DecidingCore(PlanGenerator.compiled(policy(&generator)))
        let requests = requests(&generator)
        for request in requests { revised.decide([request], at: TestZones.start) }
        var last = PlanGenerator.compiled(policy(&generator))
        var zones = TestZones()
        for _ in 0..<generator.number(1...3) {
            last = PlanGenerator.compiled(policy(&generator))
            zones = TestZones(release: "b", shift: Int64(generator.pick([0, 0, 15, -60])))
            revised.core.adopt(Revision(policy: last, zones: zones))
            if generator.chance(60) {
                revised.core.replan(atMost: generator.number(1...2), clock: TestZones.start, into: &revised.decision)
            }
            if generator.chance(60) { revised.decide([.cancelOfNothing(device: "d1")], at: TestZones.start) }
        }
        while revised.core.replanBacklog > 0 {
            revised.core.replan(atMost: 1, clock: TestZones.start, into: &revised.decision)
        }
        var fresh = DecidingCore(last, zones: zones)
        for request in requests { fresh.decide([request], at: TestZones.start) }
        #expect(revised.plans == fresh.plans, "seed \(seed)")
        #expect(revised.core.nextWake == fresh.core.nextWake, "seed \(seed)")
    }
}
