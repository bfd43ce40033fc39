public import RationSubscribing
internal import Synchronization

/// The subscriber's counters: written by its threads, read by any.
public final class PlansMeter: SubscriberMeter {
    struct Counters {
        /// Requests of phones by the status of the answer.
        var requests: [Int: UInt64] = [:]
        /// Pushes by what became of them.
        var wakes: [String: UInt64] = [:]
        /// Plans that became different for their phone.
        var revisions: UInt64 = 0
        /// Devices that were asked for at the broker.
        var asked: UInt64 = 0
        var devices = 0
        /// Whether all devices that the broker has were looked at since the start.
        var hasSurveyed = false
    }

    private let counters = Mutex(Counters())

    func update(_ change: (inout Counters) -> Void) {
        counters.withLock { change(&$0) }
    }

    var now: Counters { counters.withLock { $0 } }

    public var metrics: String {
        let now = now
        let requests = now.requests.sorted { $0.key < $1.key }.map {
            "ration_plans_requests_total{status=\"\($0.key)\"} \($0.value)\n"
        }
        let wakes = now.wakes.sorted { $0.key < $1.key }.map {
            "ration_plans_wakes_total{outcome=\"\($0.key)\"} \($0.value)\n"
        }
        return Self.type("ration_plans_requests_total", "counter") + requests.joined()
            + Self.type("ration_plans_wakes_total", "counter") + wakes.joined()
            + Self.single("ration_plans_revisions_total", "counter", "\(now.revisions)")
            + Self.single("ration_plans_lookups_total", "counter", "\(now.asked)")
            + Self.single("ration_plans_devices", "gauge", "\(now.devices)")
            + Self.single("ration_plans_surveyed", "gauge", now.hasSurveyed ? "1" : "0")
    }

    private static func type(_ name: String, _ type: String) -> String { "# TYPE \(name) \(type)\n" }

    private static func single(_ name: String, _ type: String, _ value: String) -> String {
        self.type(name, type) + "\(name) \(value)\n"
    }
}
