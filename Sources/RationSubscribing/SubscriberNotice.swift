/// What a runner has to say: a line each, none a page.
public enum SubscriberNotice: Hashable, Sendable {
    /// It begins or goes on.
    case following(log: String, position: UInt64, behind: UInt64)
    case fellBehind(events: UInt64, milliseconds: Int64)
    case caughtUp(position: UInt64, events: UInt64, milliseconds: Int64)
    case gone(UInt64, log: String)
    case otherLog(String, before: String, position: UInt64)
    /// Handing over failed, and will be tried again.
    case retrying(first: UInt64, events: Int, try: Int, of: Int, error: String)
    case setAside(UInt64, error: String)
    case unavailable(String)
    case available
    /// Processes have ended while they handed over events: these are handed over one by one.
    case careful(until: UInt64, starts: Int64)
    case paused, resumed
    case brokerAway, brokerBack

    /// For people.
    public var line: String {
        switch self {
        case .following(let log, let position, let behind):
            "following log \(log) from \(position), \(behind) events behind"
        case .fellBehind(let events, let milliseconds):
            "behind by \(events) events and \(milliseconds / 1_000) s"
        case .caughtUp(let position, let events, let milliseconds):
            "caught up at \(position): \(events) events in \(milliseconds) ms"
        case .gone(let count, let log): "\(count) events are gone: the log \(log) no longer has them"
        case .otherLog(let log, let before, let position):
            "the broker has another event log now, \(log) instead of \(before); following it from \(position)"
        case .retrying(let first, let events, let number, let tries, let error):
            "\(events) events from \(first) failed, try \(number) of \(tries): \(error)"
        case .setAside(let sequence, let error): "event \(sequence) is set aside: \(error)"
        case .unavailable(let message): "unavailable, trying again: \(message)"
        case .available: "available again"
        case .careful(let position, let starts):
            "\(starts) processes have ended while they handed over events: going on one by one until \(position)"
        case .paused: "paused"
        case .resumed: "resumed"
        case .brokerAway: "the broker is away; waiting for it"
        case .brokerBack: "the broker is back"
        }
    }
}
