public import RationSubscribing
internal import Synchronization

/// The subscriber's counters: written by its thread, read by any.
public final class APNsMeter: SubscriberMeter {
    struct Counters {
        /// By outcome and reason.
        var ended: [String: UInt64] = [:]
        var deferred: [String: UInt64] = [:]
        var alarms: [String: UInt64] = [:]
        var waiting = 0
        var connections = 0
        var providerTokens = 0
        var feedback: [String: UInt64] = [:]
        var stoppedKeys = 0
    }

    private let counters = Mutex(Counters())

    func update(_ change: (inout Counters) -> Void) {
        counters.withLock { change(&$0) }
    }

    public var metrics: String {
        let now = counters.withLock { $0 }
        return Self.counter("ration_apns_ended_total", now.ended, "outcome", "reason")
            + Self.counter("ration_apns_deferred_total", now.deferred, "reason")
            + Self.counter("ration_apns_alarms_total", now.alarms, "alarm")
            + Self.counter("ration_apns_feedback_total", now.feedback, "state")
            + Self.single("ration_apns_connections_total", "counter", now.connections)
            + Self.single("ration_apns_provider_tokens_total", "counter", now.providerTokens)
            + Self.single("ration_apns_waiting", "gauge", now.waiting)
            + Self.single("ration_apns_stopped_keys", "gauge", now.stoppedKeys)
    }

    /// Labels' values are words of letters and digits, parted by slashes.
    private static func counter(_ name: String, _ values: [String: UInt64], _ labels: String...) -> String {
        let lines = values.sorted { $0.key < $1.key }.map { key, value in
            let words = key.split(separator: "/", omittingEmptySubsequences: false)
            let pairs = zip(labels, words).map { "\($0)=\"\($1)\"" }.joined(separator: ",")
            return "\(name){\(pairs)} \(value)\n"
        }
        return lines.isEmpty ? "" : "# TYPE \(name) counter\n" + lines.joined()
    }

    private static func single(_ name: String, _ type: String, _ value: Int) -> String {
        "# TYPE \(name) \(type)\n\(name) \(value)\n"
    }
}
