import RationModel
import RationPlanner

/// What a reader knows that has folded every event: which notifications are held and queued, and for when.
struct Fold {
    private struct Plan {
        var held: [String: Instant] = [:]
        var queued: [String: Instant] = [:]
    }

    private var plans: [String: Plan] = [:]

    /// Takes in an event: `due` and `expired` take away until the next one.
    mutating func take(_ event: LoggedEvent) {
        guard !event.kind.isFeedback else { return }
        var plan = plans[event.device] ?? Plan()
        plan.held[event.id] = nil
        plan.queued[event.id] = nil
        switch event.kind {
        case .accepted: plan.held[event.id] = event.fireDate
        case .queued: plan.queued[event.id] = event.fireDate
        case .evicted where event.isFinal == false: plan.queued[event.id] = event.fireDate
        default: break
        }
        plans[event.device] = plan
    }

    /// Compares with a recipient's plan; dates of queued ones may differ where both have come.
    func check(_ planned: RecipientPlan, now: Instant) throws(Breach) {
        let plan = plans[planned.device] ?? Plan()
        let held = Dictionary(planned.held.map { ($0.id, $0.fireDate) }) { $1 }
        guard plan.held == held else {
            throw Breach("events say that \(planned.device) holds \(plan.held), the broker says \(held)")
        }
        for queued in planned.queued {
            let date = plan.queued[queued.id]
            let haveCome = date.map { $0 <= now } ?? false && queued.fireDate <= now
            guard date == queued.fireDate || haveCome else {
                throw Breach("events say that \(queued.id) is queued for \(date as Any), the broker \(queued.fireDate)")
            }
        }
        guard plan.queued.count == planned.queued.count else {
            throw Breach("events say that \(planned.device) has \(plan.queued) queued, the broker \(planned.queued)")
        }
    }
}
