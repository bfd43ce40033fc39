public import RationWire

/// What tells a phone that there is a new plan: a push that wakes its app and shows nothing.
public protocol PhoneWaking: AnyObject {
    /// Wakes phones; it takes seconds at most.
    /// - Returns: what became of each push, in their order.
    /// - Throws: what makes waking impossible for now.
    func wake(_ phones: [WakingPush]) throws -> [WakingOutcome]
}

/// A push to one phone.
public struct WakingPush: Hashable, Sendable {
    public var recipient: DevicesRequest.Recipient
    /// Of what it tells: the event log and the plan's revision.
    public var log: String
    public var revision: UInt64

    public init(recipient: DevicesRequest.Recipient, log: String, revision: UInt64) {
        (self.recipient, self.log, self.revision) = (recipient, log, revision)
    }
}

/// What became of a push.
public enum WakingOutcome: String, Hashable, Sendable {
    case delivered
    /// For good: the phone has no token, or a wrong one. It will ask by itself.
    case failed
    /// It is tried again.
    case later
}
