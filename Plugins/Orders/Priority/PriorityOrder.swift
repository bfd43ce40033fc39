import RationModel
public import RationPlanner

/// The order `priority` (semantics.md section 4.3): by (priority, fire date, id). What matters most has a slot, however
/// far ahead it fires.
public struct PriorityOrder: Order {
    public static let name = "priority"

    public init() {}

    public func keys(of pending: borrowing Span<PendingNotification>, into keys: inout ContiguousArray<OrderKey>) {
        for index in pending.indices {
            keys.append(OrderKey(Int64(pending[index].priority), pending[index].fireDate.milliseconds))
        }
    }
}
