import FrequencyCapRule
import QuietHoursRule
import RationModel
import RationPlanner
import SoonestOrder

/// The policies under which planners are measured.
struct PlannedPolicy {
    var hasQuietHours = false
    var hasCaps = false
    var queueLimit = 1_024

    static let plain = PlannedPolicy()
    static let ruled = PlannedPolicy(hasQuietHours: true, hasCaps: true)

    /// So many types, named by `typeName`, each with its number as priority.
    static let typeCount = 5

    static func typeName(_ type: Int) -> String { "type\(type)" }

    var policy: Policy {
        var policy = Policy()
        policy.timeZone = "Europe/Madrid"
        policy.queueLimit = queueLimit
        policy.setTypes(
            (0..<Self.typeCount).map { number in
                var type = NotificationType(name: Self.typeName(number))
                type.priority = number
                return type
            })
        if hasQuietHours { policy.quietHours = [QuietWindow(from: 22 * 60, to: 7 * 60 + 30)] }
        if hasCaps {
            policy.caps = [
                Cap(limit: 3, perMilliseconds: 3_600_000), Cap(limit: 10, perMilliseconds: 86_400_000),
            ]
        }
        return policy
    }

    var compiled: CompiledPolicy {
        CompiledPolicy(policy, order: SoonestOrder(), rules: [QuietHoursSource(), FrequencyCaps()])
    }
}
