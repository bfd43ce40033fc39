internal import RationModel
internal import RationSQLite
internal import RationWire

extension Plans {
    private static let pushesAtOnce = 500
    private static let pushRetryMilliseconds: Int64 = 60_000

    /// Tells phones whose time has come that there is a new plan.
    /// - Returns: after how many milliseconds the next one's time comes.
    func pushDue(in database: SQLiteDatabase, _ tables: PlansTables, _ parts: Parts) throws -> Int64 {
        guard let waker else { return .max }
        let now = parts.clock()
        let recipients = try tables.toPush(now, most: Self.pushesAtOnce)
        if !recipients.isEmpty {
            let plans = try recipients.compactMap { recipient in
                try tables.plan(recipient).map { (recipient: recipient, stored: $0) }
            }
            // A plan that has another revision meanwhile is told with that one.
            let outcomes = try waker.wake(
                plans.map {
                    WakingPush(recipient: $0.recipient, log: $0.stored.plan.log, revision: $0.stored.plan.revision)
                })
            try database.transaction {
                for ((recipient, stored), outcome) in zip(plans, outcomes) {
                    try settle(outcome, recipient, stored, now, tables)
                }
            }
            counters.update { counters in
                for outcome in outcomes { counters.wakes[outcome.rawValue, default: 0] += 1 }
            }
        }
        return try tables.nextPush().map { max(1, $0.milliseconds - parts.clock().milliseconds) } ?? .max
    }

    private func settle(
        _ outcome: WakingOutcome, _ recipient: DevicesRequest.Recipient, _ stored: StoredPlan, _ now: Instant,
        _ tables: PlansTables
    ) throws {
        var plan = stored.plan
        guard outcome != .later else {
            plan.postpone(until: now.advanced(by: Self.pushRetryMilliseconds))
            return try tables.put(plan, of: recipient, shape: stored.shape, pushDate: plan.pushDate(now))
        }
        plan.push(now)
        try tables.put(plan, of: recipient, shape: stored.shape, pushDate: nil)
    }
}
