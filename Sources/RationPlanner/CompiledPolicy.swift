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

    /// The parts of a device's settings that change its rules, by source.
    func parts(of settings: DeviceSettings) -> [DeviceSettings?] {
        sources.map { $0.part(of: settings) }
    }

    /// The rules for devices of which the parts are the same.
    func rules(for parts: [DeviceSettings?]) -> CompiledRules {
        let own = zip(sources, parts).flatMap { source, part in source.rules(of: policy, types: types, device: part) }
        return CompiledRules(own, types: types.count, isOfDevice: true)
    }
}
