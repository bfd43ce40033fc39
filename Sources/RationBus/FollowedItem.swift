public import RationModel

/// What an ``EventFollower`` tells.
public enum FollowedItem {
    /// An event: CloudEvents 1.0 in structured JSON, one line without its end; valid inside the call.
    case event(UnsafeRawBufferPointer)
    /// So many events are gone: the log no longer keeps them.
    case gone(count: UInt64)
    /// The follower is behind the log's end and reads on; told with every page until it has caught up.
    case catchingUp(behind: UInt64)
    /// The broker has another event log now; it is followed from its beginning.
    case logChanged(String)
    /// The broker has not been heard of for some time, or the connection has ended.
    case brokerAway
    /// The broker is heard again.
    case brokerBack
}

/// Where an ``EventFollower`` begins.
public enum FollowerStart: Hashable, Sendable {
    /// With the next event.
    case now
    /// With the oldest event that is kept.
    case start
    /// With the first event of a time or later.
    case since(Instant)
    /// Behind a position.
    /// - Parameter log: the log that it belongs to; nil: whichever the broker has.
    case after(UInt64, log: String?)
}
