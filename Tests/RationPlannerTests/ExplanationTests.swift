import RationModel
import Testing

@testable import RationPlanner

@Suite("Explanations of what is pending")
struct ExplanationTests {
    private let start = TestZones.start

    private func schedule(_ id: String, minutes: Int64, type: String = "") -> GeneratedRequest {
        var request = GeneratedRequest()
        (request.id, request.type, request.device) = (id, type, "d")
        request.trigger = .at(start.advanced(by: minutes * 60_000))
        return request
    }

    private func explain(_ id: String, _ core: inout DecidingCore) throws -> Explanation {
        let plan = try #require(core.core.plans.first)
        let explanation = core.core.explain(app: plan.app, device: plan.device, id: id)
        return try #require(explanation)
    }

    /// The trial is the decision: scheduled with what the explanation says, it has a slot.
    @Test("the priority that holds is found among hundreds, and holds")
    func manyPriorities() throws {
        var policy = Policy()
        policy.slots = 1
        policy.order = "priority"
        policy.setTypes(
            (0..<400).map { number in
                var type = NotificationType(name: "t\(number)")
                type.priority = number * 2 + 4
                return type
            })
        var core = DecidingCore(CompiledPolicy(policy, order: ByPriority(), rules: []))
        core.decide((0..<400).map { schedule("n\($0)", minutes: 60, type: "t\($0)") }, at: start)
        let explanation = try explain("n399", &core)
        #expect(explanation.priorityThatHolds == 3)
        #expect(explanation.rank == 400)
        #expect(explanation.displacedBy.map(\.id) == ["n0"])
    }

    @Test("of many moves the first and the last eight are told, each beside those that forbid what lies before it")
    func manyMoves() throws {
        var policy = Policy()
        policy.quietHours = [QuietWindow(from: 60, to: 0)]
        policy.caps = [Cap(limit: 1, perMilliseconds: 60 * 60_000)]
        var core = DecidingCore(PlanGenerator.compiled(policy))
        core.decide((0..<30).map { schedule("n\($0 + 10)", minutes: 30) }, at: start)
        let explanation = try explain("n39", &core)
        #expect(explanation.moves.count == 16)
        #expect(explanation.omittedMoves == 2 * 29 - 16)
        #expect(explanation.moves.last?.to == explanation.fireDate)
        let crowd = try #require(explanation.moves.last { $0.rule == "caps[0]" })
        #expect(crowd.beside.map(\.id) == ["n38"])
    }
}

private struct ByPriority: Order {
    static let name = "priority"

    func keys(of pending: borrowing Span<PendingNotification>, into keys: inout ContiguousArray<OrderKey>) {
        for index in pending.indices { keys.append(OrderKey(Int64(pending[index].priority), 0)) }
    }
}
