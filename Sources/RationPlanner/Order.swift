/// Who among one recipient's pending notifications gets a slot first (semantics.md section 4.3).
///
/// An order gives each notification a key of whole numbers; the smallest keys are held. Equal keys are told apart by
/// (fire date, priority, id), in which the notifications are handed over.
public protocol Order: Sendable {
    /// The name in a policy's `order`.
    static var name: String { get }

    /// Whether its keys follow (fire date, priority, id), so that the first of a plan are the ones that are held.
    var followsDates: Bool { get }

    /// Writes one key for each notification.
    /// - Parameters:
    ///   - pending: sorted by (fire date, priority, id); fire dates are the ones just planned.
    ///   - keys: empty; gets as many keys as there are notifications, in the same order.
    func keys(of pending: borrowing Span<PendingNotification>, into keys: inout ContiguousArray<OrderKey>)
}

extension Order {
    public var followsDates: Bool { false }
}

/// Two whole numbers, compared one after the other.
public struct OrderKey: Comparable, Sendable {
    public var first: Int64
    public var second: Int64

    @inlinable
    public init(_ first: Int64, _ second: Int64) {
        self.first = first
        self.second = second
    }

    @inlinable
    public static func < (left: OrderKey, right: OrderKey) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }
}
