public import RationPlanner

/// The plugins that a program has, by name: the one list in which they are registered.
public struct PluginRegistry: Sendable {
    /// The orders of `semantics.md` section 4.3 that a policy may name.
    public let orders: [any Order]
    /// Where a policy's rules come from, in the order in which the planner asks them.
    public let rules: [any RuleSource]
    /// The schedulers that a configuration may name.
    public let schedulers: [any Scheduler.Type]
    /// The subscribers that a configuration may name.
    public let subscribers: [any Subscriber.Type]

    /// Each plugin has a name of its own among those of its kind.
    public init(
        orders: [any Order], rules: [any RuleSource], schedulers: [any Scheduler.Type] = [],
        subscribers: [any Subscriber.Type] = []
    ) {
        precondition(
            Set(rules.map { type(of: $0).name }).count == rules.count, "two rules of one name: \(rules)")
        precondition(
            Set(orders.map { type(of: $0).name }).count == orders.count, "two orders of one name: \(orders)")
        precondition(
            Set(schedulers.map { $0.name }).count == schedulers.count, "two schedulers of one name: \(schedulers)")
        precondition(
            Set(subscribers.map { $0.name }).count == subscribers.count, "two subscribers of one name: \(subscribers)")
        self.orders = orders
        self.rules = rules
        self.schedulers = schedulers
        self.subscribers = subscribers
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
