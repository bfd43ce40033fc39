public import RationPlanner

/// The plugins that a program has, by name: the one list in which they are registered.
public struct PluginRegistry: Sendable {
    /// The orders of `semantics.md` section 4.3 that a policy may name.
    public let orders: [any Order]

    /// - Parameter orders: each with a name of its own.
    public init(orders: [any Order]) {
        precondition(
            Set(orders.map { type(of: $0).name }).count == orders.count, "two orders of one name: \(orders)")
        self.orders = orders
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
