import RationModel
import TestSupport
import Testing

@testable import RationPlanner

@Suite("What is done for one intent alone ends as planning from scratch")
struct IncrementalTests {
    private static let parts = (0..<8).map { UInt64($0) * 250..<UInt64($0 + 1) * 250 }

    @Test("generated scenarios: the same events, outcomes and plans", arguments: parts)
    func generated(seeds: Range<UInt64>) {
        for seed in seeds {
            if let difference = Self.difference(seed: seed) {
                Issue.record("seed \(seed): \(difference)")
                return
            }
        }
    }

    /// Decides one scenario twice: each intent alone, and beside one that does nothing and so asks for the whole plan.
    /// - Returns: where the two differ; nil if they do not.
    private static func difference(seed: UInt64) -> String? {
        var generator = PlanGenerator(seed: seed)
        let policy = PlanGenerator.compiled(generator.policy())
        var alone = DecidingCore(policy)
        var whole = DecidingCore(policy)
        var now = TestZones.start
        for step in 0..<30 {
            now = now.advanced(by: Int64(generator.pick([0, 0, 0, 10, 30, 47, 300])) * PlanGenerator.minute)
            let request = generator.request(now: now)
            // At times what is due stays due: the process was away.
            if generator.chance(80) {
                let (left, right) = (alone.fire(before: now), whole.fire(before: now))
                guard left == right else { return "step \(step), firing: \(left) is not \(right)" }
            }
            if generator.chance(4) {
                let revision = Revision(policy: PlanGenerator.compiled(generator.policy()), zones: TestZones())
                alone.core.adopt(revision)
                whole.core.adopt(revision)
            }
            // Explaining changes nothing.
            if generator.chance(10) { _ = alone.core.explain(app: "app", device: request.device, id: request.id) }
            alone.decide([request], at: now)
            whole.decide([request, .cancelOfNothing(device: request.device)], at: now)
            guard alone.events == whole.events else {
                return "step \(step), \(request): \(alone.events)\nis not\n\(whole.events)"
            }
            guard alone.plans == whole.plans, alone.core.nextWake == whole.core.nextWake else {
                return "step \(step), \(request): \(alone.plans)\nis not\n\(whole.plans)"
            }
            guard alone.outcomes == whole.outcomes.dropLast() else {
                return "step \(step), \(request): \(alone.outcomes) is not \(whole.outcomes)"
            }
        }
        return nil
    }
}
