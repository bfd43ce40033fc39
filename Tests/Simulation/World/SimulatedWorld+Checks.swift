import RationModel
import RationPlanner
import RationStore

/// What must hold at any moment.
extension SimulatedWorld {
    /// Plans are what events say, and no more is held than there are slots.
    func checkPlans() throws {
        guard let broker else { return }
        if !broker.isReplanning { replannedSlots = try SimulatedPolicies.slots(policy) }
        for device in Workload.devices {
            guard let plan = broker.plan(device) else { continue }
            try book.check(plan)
            guard plan.held.count <= replannedSlots ?? 4 else {
                throw Breach("\(device) holds \(plan.held.map(\.id)) in \(replannedSlots ?? 4) slots")
            }
        }
    }

    /// Nothing is due before its time, whatever the wall clock says, unless it was believed at a start or by an operator.
    func checkClock(_ batch: DecidedBatch) throws {
        // Time does not go back behind what was believed once.
        guard !hasJumped else { return }
        let believed = clock.trueNow.advanced(by: 60_000)
        for event in batch.events where event.kind == .due && event.fireDate > believed {
            throw Breach("\(event.id) is due at \(clock.trueNow.rfc3339), planned for \(event.fireDate.rfc3339)")
        }
    }

    /// What is kept of the log is as much as was asked for, or all.
    func checkRetention() throws {
        guard let broker else { return }
        let range = broker.store.range
        guard range.first > 1 else { return }
        let kept = book.bytes(after: range.first - 1)
        guard kept >= climate.retentionBytes / 3 else {
            throw Breach("of the log only \(kept) bytes are kept, and \(climate.retentionBytes) were asked for")
        }
    }
}
