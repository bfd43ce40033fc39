/// Section 4, for what is supported.
extension ModelBatch {
    mutating func plan() {
        while !placeDates() || !giveSlots() {}
        for index in recipient.pending.indices where recipient.pending[index].fireDate > now {
            recipient.pending[index].passed = nil
        }
    }

    /// Steps 1 and 2.
    /// - Returns: false when one was removed, so that planning starts again.
    private mutating func placeDates() -> Bool {
        for index in recipient.pending.indices {
            let notification = recipient.pending[index]
            let isRepeating = notification.wish.isRepeating
            let date = isRepeating ? notification.requestedDate : max(notification.requestedDate, now)
            recipient.pending[index].fireDate = date
            if isRepeating || policy.keepsTime(notification.wish.type) { continue }
            if let most = policy.maxDelay(notification.wish.type), date - notification.requestedDate > most {
                remove(recipient.pending[index], .evicted, "delay")
                return false
            }
            if let expires = notification.wish.expires, date >= expires {
                remove(recipient.pending[index], .expired, "moved")
                return false
            }
        }
        return true
    }

    /// Steps 3 and 4.
    /// - Returns: false when one was removed.
    private mutating func giveSlots() -> Bool {
        let slots = max(0, policy.slots - recipient.reserved)
        let order = policy.ordersByPriority ? ModelNotification.mostImportant : ModelNotification.soonest
        recipient.pending.sort(by: order)
        for index in recipient.pending.indices { recipient.pending[index].isHeld = index < slots }
        let queued = recipient.pending.filter { !$0.isHeld }.sorted(by: ModelNotification.mostImportant)
        if policy.drops, let victim = queued.first {
            remove(victim, .evicted, "slots")
            return false
        }
        if queued.count > policy.queueLimit, let victim = queued.last {
            remove(victim, .evicted, "queueFull")
            return false
        }
        return true
    }

    private mutating func remove(_ notification: ModelNotification, _ kind: ModelEvent.Kind, _ reason: String) {
        events.append(ModelEvent(kind: kind, notification: notification, reason: reason, isFinal: true))
        recipient.remove(notification.id)
    }
}
