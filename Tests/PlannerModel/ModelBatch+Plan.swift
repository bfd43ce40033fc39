/// Section 4.
extension ModelBatch {
    mutating func plan() {
        while !isPlanned() {}
        for index in recipient.pending.indices where recipient.pending[index].fireDate > now {
            recipient.pending[index].passed = nil
        }
    }

    /// - Returns: false when something was removed, so that planning starts again.
    private mutating func isPlanned() -> Bool {
        var fixed = placeFixed()
        for notification in recipient.pending.filter({ !isFixed($0) }).sorted(by: ModelNotification.placed) {
            var placed = notification
            placed.fireDate = earliestDate(for: placed, beside: fixed)
            if let (kind, reason) = fault(placed, beside: fixed) {
                remove(placed, kind, reason)
                return false
            }
            recipient.put(placed)
            fixed.append(ModelDate(instant: placed.fireDate, type: placed.wish.type))
        }
        return giveSlots()
    }

    /// Whether neither quiet hours nor caps bind it.
    func isFixed(_ notification: ModelNotification) -> Bool {
        notification.wish.isRepeating || policy.keepsTime(notification.wish.type)
    }

    /// Step 1.
    private mutating func placeFixed() -> [ModelDate] {
        var fixed = recipient.fired
        for index in recipient.pending.indices where isFixed(recipient.pending[index]) {
            let notification = recipient.pending[index]
            let requested = notification.requestedDate
            let date = notification.wish.isRepeating ? requested : max(requested, now)
            recipient.pending[index].fireDate = date
            fixed.append(ModelDate(instant: date, type: notification.wish.type))
        }
        return fixed
    }

    /// Step 2: the earliest candidate, carried past quiet hours, that every moving cap allows.
    private mutating func earliestDate(for notification: ModelNotification, beside fixed: [ModelDate]) -> Int64 {
        let first = max(notification.requestedDate, now)
        let quiet = recipient.quietHours(notification.wish, policy)
        let caps = policy.caps.filter { !$0.drops && $0.binds(notification) }
        let others = caps.flatMap { cap in fixed.filter { cap.counts($0.type) }.map { $0.instant + cap.per } }
        for candidate in [first] + others.filter({ $0 > first }).sorted() {
            let date = quiet.end(from: candidate)
            if caps.contains(where: { $0.isBroken(at: date, beside: fixed) }) { continue }
            if candidate > first { uses.insert(.movedByCap) }
            if date > candidate { uses.insert(candidate > first ? .movedByCapThenQuiet : .movedByQuiet) }
            return date
        }
        preconditionFailure("after the last of the dates no cap is broken")
    }

    /// Why one is removed where it was placed.
    private func fault(
        _ placed: ModelNotification, beside fixed: [ModelDate]
    ) -> (ModelEvent.Kind, String)? {
        let isDropped = policy.caps.contains { cap in
            cap.drops && cap.binds(placed) && cap.isBroken(at: placed.fireDate, beside: fixed)
        }
        if isDropped { return (.evicted, "cap") }
        let most = policy.maxDelay(placed.wish.type) ?? .max
        if placed.fireDate - placed.requestedDate > most || placed.fireDate - now > Self.horizon {
            return (.evicted, "delay")
        }
        if let expires = placed.wish.expires, placed.fireDate >= expires { return (.expired, "moved") }
        return nil
    }

    /// Steps 3 and 4.
    /// - Returns: false when something was removed.
    private mutating func giveSlots() -> Bool {
        let slots = max(0, Int(policy.slots - recipient.reserved))
        recipient.pending.sort(
            by: policy.ordersByPriority ? ModelNotification.mostImportant : ModelNotification.soonest)
        let held = chosen(recipient.pending, slots)
        for index in recipient.pending.indices {
            recipient.pending[index].isHeld = held.contains(recipient.pending[index].id)
        }
        let queued = recipient.pending.filter { !$0.isHeld }.sorted(by: ModelNotification.mostImportant)
        let isTooMany = !policy.drops && queued.count > policy.queueLimit
        let victims = policy.drops ? queued[...] : isTooMany ? queued[Int(policy.queueLimit)...] : []
        for victim in victims { remove(victim, .evicted, policy.drops ? "slots" : "queueFull") }
        return victims.isEmpty
    }

    /// The ids of those that get a slot: first each type's guarantee, then the rest in order.
    /// - Parameter order: all that are pending, in the policy's order.
    private mutating func chosen(_ order: [ModelNotification], _ slots: Int) -> Set<Text> {
        var held: [ModelNotification] = []
        func isOf(_ quota: ModelQuota, _ notification: ModelNotification) -> Bool {
            if let type = quota.type { return notification.wish.type == type }
            return !policy.quotas.contains { $0.type == notification.wish.type }
        }
        for quota in policy.quotas {
            let guaranteed = order.filter { isOf(quota, $0) }.prefix(quota.minimum(of: slots))
            held += guaranteed.prefix(slots - held.count)
        }
        let guaranteed = Set(held.map(\.id))
        for notification in order where !guaranteed.contains(notification.id) && held.count < slots {
            let quota = policy.quotas.first { isOf($0, notification) }
            if let quota, held.count(where: { isOf(quota, $0) }) >= quota.maximum(of: slots) {
                uses.insert(.passedOver)
                continue
            }
            held.append(notification)
        }
        if !guaranteed.isSubset(of: order.prefix(slots).map(\.id)) { uses.insert(.guaranteed) }
        return Set(held.map(\.id))
    }

    private mutating func remove(_ notification: ModelNotification, _ kind: ModelEvent.Kind, _ reason: String) {
        events.append(ModelEvent(kind: kind, notification: notification, reason: reason, isFinal: true))
        recipient.remove(notification.id)
    }
}
