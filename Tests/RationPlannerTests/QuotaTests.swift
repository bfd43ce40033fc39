import PriorityOrder
import RationModel
import SoonestOrder
import TestSupport
import Testing

@testable import RationPlanner

@Suite("Quotas: who is held")
struct QuotaTests {
    private struct Candidate {
        var id: String
        var type: String
        var priority: Int
        var minutes: Int
    }

    @Test("guarantees in the order of their types, then the rest up to its ceilings, on generated quotas")
    func generated() {
        for seed in UInt64(1)...400 {
            var generator = PlanGenerator(seed: seed)
            let policy = Self.policy(&generator)
            let byDate = generator.chance(50)
            let order: any Order = byDate ? SoonestOrder() : PriorityOrder()
            var core = DecidingCore(CompiledPolicy(policy, order: order, rules: []))
            let candidates = Self.candidates(&generator, policy)
            core.decide(candidates.map(Self.request), at: TestZones.start)
            let held = core.plans.filter(\.isHeld).map(\.id).sorted()
            #expect(held == Self.held(candidates, policy, byDate: byDate).sorted(), "seed \(seed)")
        }
    }

    private static func policy(_ generator: inout PlanGenerator) -> Policy {
        var policy = Policy()
        policy.slots = generator.number(0...20)
        policy.setTypes(
            ["a", "b", "c", "d"].prefix(generator.number(2...4)).map { name in
                var type = NotificationType(name: name)
                if generator.chance(70) { type.priority = generator.number(0...2) }
                return type
            })
        var keys = ["a", "b", "e", "*"].filter { _ in generator.chance(60) }
        if keys.isEmpty { keys = ["*"] }
        policy.setQuotas(
            keys.map { key in
                var quota = Quota(type: key)
                if generator.chance(60) { quota.minimum = share(&generator) }
                if generator.chance(60) { quota.maximum = share(&generator) }
                return quota
            })
        return policy
    }

    private static func share(_ generator: inout PlanGenerator) -> SlotShare {
        generator.chance(50) ? .slots(generator.number(0...8)) : .percent(generator.number(0...100))
    }

    private static func candidates(_ generator: inout PlanGenerator, _ policy: Policy) -> [Candidate] {
        (0..<generator.number(0...40)).map { number in
            let type = generator.pick(["a", "b", "c", "d", "e", "f"])
            let priority = policy.types.first { $0.name == type }?.priority ?? policy.unknownPriority
            return Candidate(
                id: "n\(100 + number)", type: type, priority: priority, minutes: generator.number(1...15))
        }
    }

    private static func request(_ candidate: Candidate) -> GeneratedRequest {
        var request = GeneratedRequest()
        (request.id, request.type) = (candidate.id, candidate.type)
        request.trigger = .at(TestZones.start.advanced(by: Int64(candidate.minutes) * PlanGenerator.minute))
        return request
    }

    /// Section 4.3, word for word.
    private static func held(_ candidates: [Candidate], _ policy: Policy, byDate: Bool) -> [String] {
        let order = candidates.sorted { left, right in
            let (leftKey, rightKey) = (
                byDate ? [left.minutes, left.priority] : [left.priority, left.minutes],
                byDate ? [right.minutes, right.priority] : [right.priority, right.minutes]
            )
            return leftKey == rightKey ? left.id < right.id : leftKey.lexicographicallyPrecedes(rightKey)
        }
        let named = policy.quotas.map(\.type)
        func key(_ candidate: Candidate) -> String { named.contains(candidate.type) ? candidate.type : Quota.others }
        func priority(_ type: String) -> Int {
            type == Quota.others ? .max : policy.types.first { $0.name == type }?.priority ?? policy.unknownPriority
        }
        var held: [String] = []
        var taken: [String: Int] = [:]
        func take(_ candidate: Candidate, upTo limit: Int) {
            let isTaken = held.contains(candidate.id) || held.count >= policy.slots
            guard !isTaken, taken[key(candidate), default: 0] < limit else { return }
            held.append(candidate.id)
            taken[key(candidate), default: 0] += 1
        }
        for quota in policy.quotas.sorted(by: { (priority($0.type), $0.type) < (priority($1.type), $1.type) }) {
            let ceiling = quota.maximum?.count(of: policy.slots) ?? .max
            let minimum = min(quota.minimum?.count(of: policy.slots) ?? 0, ceiling)
            for candidate in order where key(candidate) == quota.type { take(candidate, upTo: minimum) }
        }
        for candidate in order {
            let quota = policy.quotas.first { $0.type == key(candidate) }
            take(candidate, upTo: quota?.maximum?.count(of: policy.slots) ?? .max)
        }
        return held
    }
}
