public import RationPlanner

/// The plugins that a program has, by name: the one list in which they are registered.
public struct PluginRegistry: Sendable {
    /// The orders of `semantics.md` section 4.3 that a policy may name.
    public let orders: [any Order]
    /// Where a policy's rules come from, in the order in which the planner asks them.
    public let rules: [any RuleSource]

    /// - Parameters:
    ///   - orders: each with a name of its own.
    ///   - rules: each with a name of its own.
    public init(orders: [any Order], rules: [any RuleSource]) {
        precondition(
            Set(rules.map { type(of: $0).name }).count == rules.count, "two rules of one name: \(rules)")
        precondition(
            Set(orders.map { type(of: $0).name }).count == orders.count, "two orders of one name: \(orders)")
        self.orders = orders
        self.rules = rules
    }

    /// The names of the orders, sorted.
    public var orderNames: [String] {
        orders.map { type(of: $0).name }.sorted()
    }

    /// The order of that name; nil if there is none.
    public func order(named name: String) -> (any Order)? {
        orders.first { type(of: $0).name == name }
    }
}
