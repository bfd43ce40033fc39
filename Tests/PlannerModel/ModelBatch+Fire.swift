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
        return notification.isHeld && isAllowedNow(notification) ? .due : .stays
    }

    /// Whether now is neither quiet for it nor against a cap beside what has fired.
    private func isAllowedNow(_ notification: ModelNotification) -> Bool {
        isFixed(notification) || !isQuietNow(notification) && !isCappedNow(notification)
    }

    private func isQuietNow(_ notification: ModelNotification) -> Bool {
        recipient.quietHours(notification.wish, policy).isQuiet(at: now)
    }

    private func isCappedNow(_ notification: ModelNotification) -> Bool {
        policy.caps.contains { $0.binds(notification) && $0.isBroken(at: now, beside: recipient.fired) }
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
            if notification.isHeld, notification.fireDate <= now {
                uses.insert(isQuietNow(notification) ? .keptBackByQuiet : .keptBackByCap)
            }
            var waiting = notification
            waiting.passed = notification.time
            recipient.put(waiting)
            return
        case .due: recipient.fired.append(ModelDate(instant: now, type: notification.wish.type))
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
        following.began = now
        following.passed = nil
        recipient.put(following)
        recurred.insert(notification.id)
    }

    /// The next requested date after now, before `expires`.
    private func nextDate(_ notification: ModelNotification) -> Int64? {
        let next: Int64?
        switch notification.wish.trigger {
        case .every(let seconds):
            // "The last requested date + the smallest whole multiple that lies after now."
            let interval = Self.milliseconds(seconds)
            let missed = max(0, (now - notification.requestedDate) / interval)
            next = notification.requestedDate + interval * (missed + 1)
        case .calendar(let calendar): next = calendar.repeats ? nextMatch(calendar, after: now) : nil
        default: next = nil
        }
        guard let next, next < notification.wish.expires ?? .max else { return nil }
        return next
    }
}
