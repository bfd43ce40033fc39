/// Section 5.2.
extension ModelBatch {
    mutating func fire() {
        let come = recipient.pending.filter { untouched.contains($0.id) && $0.fireDate <= now }
        for notification in come.sorted(by: ModelNotification.soonest) { fire(notification) }
    }

    private enum Outcome {
        case due
        case expired(String)
        case stays
    }

    private func outcome(_ notification: ModelNotification) -> Outcome {
        guard notification.fireDate <= now else { return .stays }
        let isRepeating = notification.wish.isRepeating
        if !isRepeating, let expires = notification.wish.expires, expires <= now { return .expired("expires") }
        let neverLate = !isRepeating && notification.wish.delivers
        if now - notification.time > policy.grace && !neverLate {
            return .expired(notification.isHeld ? "late" : "overdue")
        }
        return notification.isHeld ? .due : .stays
    }

    /// Whether the notification ends, or goes on to its next date, in this batch.
    func hasCome(_ notification: ModelNotification) -> Bool {
        if case .stays = outcome(notification) { return false }
        return true
    }

    /// Lets a notification fire or expire if its time has come.
    mutating func fire(_ notification: ModelNotification) {
        var event = ModelEvent(kind: .due, notification: notification)
        switch outcome(notification) {
        case .stays:
            var waiting = notification
            waiting.passed = notification.time
            recipient.put(waiting)
            return
        case .due: break
        case .expired(let reason):
            event.kind = .expired
            event.reason = reason
        }
        let next = nextDate(notification)
        event.isFinal = next == nil
        events.append(event)
        recipient.remember(notification, now: now)
        untouched.remove(notification.id)
        recipient.remove(notification.id)
        guard let next else {
            ended.insert(notification.id)
            return
        }
        var following = notification
        following.requestedDate = next
        following.fireDate = next
        following.passed = nil
        recipient.put(following)
        recurred.insert(notification.id)
    }

    /// "The last requested date + the smallest whole multiple that lies after now", before `expires`.
    private func nextDate(_ notification: ModelNotification) -> Int64? {
        guard case .every(let seconds) = notification.wish.trigger else { return nil }
        let interval = Self.milliseconds(seconds)
        let missed = max(0, (now - notification.requestedDate) / interval)
        let next = notification.requestedDate + interval * (missed + 1)
        if let expires = notification.wish.expires, next >= expires { return nil }
        return next
    }
}
