public import RationModel
internal import Synchronization

/// How a subscriber is.
public struct SubscriberStatus: Hashable, Sendable {
    public var name: String
    public var log = ""
    /// The last sequence that is done.
    public var position: UInt64 = 0
    /// The log's last sequence, when it was last looked at.
    public var last: UInt64 = 0
    /// Events of this log that were handed over and stored.
    public var events: UInt64 = 0
    public var gone: UInt64 = 0
    public var setAside: UInt64 = 0
    /// Tries that failed since the process began.
    public var retries: UInt64 = 0
    public var isPaused = false
    public var isBrokerAway = false
    public var isUnavailable = false
    /// When the next event was decided, in milliseconds since 1970; nil if none is in hand.
    public var nextTime: Int64?
    /// The same of the last event that is done; 0 before the first.
    public var lastTime: Int64 = 0

    public init(name: String) {
        self.name = name
    }

    public var eventsBehind: UInt64 { last - min(last, position) }

    /// How long the oldest event that is not done waits, in milliseconds; at most, if it is not in hand yet.
    public func lagMilliseconds(_ now: Instant) -> Int64 {
        guard eventsBehind > 0 else { return 0 }
        let time = nextTime ?? lastTime
        return time == 0 ? 0 : max(0, now.milliseconds - time)
    }

    mutating func show(_ file: SubscriberFile) {
        isPaused = file.isPaused
        guard let cursor = file.cursor else { return }
        (log, position, events, gone) = (cursor.log, cursor.position, cursor.events, cursor.gone)
        lastTime = cursor.time
        last = max(last, position)
    }

    /// Prometheus' text format, with the names in the style of the broker's.
    public func metrics(_ now: Instant) -> String {
        let label = name.map { $0 == "\\" || $0 == "\"" ? "\\\($0)" : "\($0)" }.joined()
        let seconds = Double(lagMilliseconds(now)) / 1_000
        let metrics: [(name: String, type: String, value: String)] = [
            ("position", "gauge", "\(position)"),
            ("lag_events", "gauge", "\(eventsBehind)"),
            ("lag_seconds", "gauge", "\(seconds)"),
            ("events_total", "counter", "\(events)"),
            ("gone_total", "counter", "\(gone)"),
            ("set_aside_total", "counter", "\(setAside)"),
            ("retries_total", "counter", "\(retries)"),
            ("paused", "gauge", isPaused ? "1" : "0"),
            ("unavailable", "gauge", isUnavailable ? "1" : "0"),
            ("broker_away", "gauge", isBrokerAway ? "1" : "0"),
        ]
        return metrics.map { metric in
            let name = "ration_subscriber_\(metric.name)"
            return "# TYPE \(name) \(metric.type)\n\(name){subscriber=\"\(label)\"} \(metric.value)\n"
        }.joined()
    }
}

/// A subscriber's status: written by its thread, read by any.
public final class SubscriberBoard: Sendable {
    private struct Facts {
        var status: SubscriberStatus
        var beat = Int64.min
    }

    private let facts: Mutex<Facts>

    init(name: String) {
        facts = Mutex(Facts(status: SubscriberStatus(name: name)))
    }

    public var status: SubscriberStatus { facts.withLock { $0.status } }

    /// When the runner's last turn began, by its clock; `min` before the first.
    public var lastTurn: Int64 { facts.withLock { $0.beat } }

    func update(_ change: (inout SubscriberStatus) -> Void) {
        facts.withLock { change(&$0.status) }
    }

    func beat(_ now: Int64) {
        facts.withLock { $0.beat = now }
    }
}
