import RationModel
public import RationPlanner

/// The order `soonest` (semantics.md section 4.3): by (fire date, priority, id). What fires next has a slot.
public struct SoonestOrder: Order {
    public static let name = "soonest"

    public init() {}

    public var followsDates: Bool { true }

    public func keys(of pending: borrowing Span<PendingNotification>, into keys: inout ContiguousArray<OrderKey>) {
        for index in pending.indices {
            keys.append(OrderKey(pending[index].fireDate.milliseconds, Int64(pending[index].priority)))
        }
    }
}
