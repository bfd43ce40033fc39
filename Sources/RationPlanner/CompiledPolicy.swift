public import RationModel

/// A policy with what the planner looks up for each notification.
public final class CompiledPolicy: Sendable {
    public let policy: Policy
    public let order: any Order
    public let types: PolicyTypes
    let rules: CompiledRules
    let quotas: CompiledQuotas
    private let sources: [any RuleSource]
    /// Whether those that fire next have the slots, so that who is held can be told from a place in the plan.
    let holdsInOrderOfDates: Bool

    /// - Parameters:
    ///   - policy: one without faults.
    ///   - order: the order that the policy names.
    ///   - rules: the plugins that its rules come from, in the order in which they are asked.
    public init(_ policy: Policy, order: any Order, rules sources: [any RuleSource]) {
        self.policy = policy
        self.order = order
        self.sources = sources
        types = PolicyTypes(policy)
        let types = types
        rules = CompiledRules(
            sources.flatMap { $0.rules(of: policy, types: types, device: nil) }, types: types.count,
            isOfDevice: false)
        quotas = CompiledQuotas(policy.quotas, types: types)
        holdsInOrderOfDates = order.followsDates && quotas.isEmpty
    }

    /// The rules for a device that has told settings; nil if they are the policy's.
    func rules(for settings: DeviceSettings) -> CompiledRules? {
        guard sources.contains(where: { $0.isChanged(by: settings) }) else { return nil }
        let own = sources.flatMap { source in
            source.rules(of: policy, types: types, device: source.isChanged(by: settings) ? settings : nil)
        }
        return CompiledRules(own, types: types.count, isOfDevice: true)
    }
}
