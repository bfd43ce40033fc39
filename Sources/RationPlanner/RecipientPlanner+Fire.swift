import RationModel

/// Section 5.2: what has come and was pending before the batch fires, expires or stays.
extension RecipientPlanner {
    private enum Ending {
        case due
        case expired(EventReason)
    }

    /// Fires all that has come, in the order (fire date, priority, id).
    mutating func fireAll(_ recipient: inout Recipient, events: inout EventBuffer) {
        // What was pending before stands sorted at the front, replaced ones in place.
        for place in recipient.pending.indices where mayFire(recipient.pending[place]) {
            _ = fire(at: place, &recipient, events: &events)
        }
    }

    /// Whether it was pending before this batch with a fire date that has come.
    func mayFire(_ notification: PendingNotification) -> Bool {
        notification.fireDate <= now && notification.before != PendingNotification.absentBefore
            && !notification.has(.restarted) && !notification.has(.ended)
    }

    /// Whether it fires or expires in this batch, as things stand.
    func wouldFire(_ notification: PendingNotification, _ recipient: borrowing Recipient) -> Bool {
        mayFire(notification) && ending(of: notification, recipient.record(notification)) != nil
    }

    /// Fires or expires one that may fire; one that stays keeps the first date that passed as its time.
    /// - Returns: whether it fired or expired.
    mutating func fire(
        at place: Int, _ recipient: inout Recipient, events: inout EventBuffer
    ) -> Bool {
        let notification = recipient.pending[place]
        let record = recipient.record(notification)
        guard let ending = ending(of: notification, record) else {
            recipient.pending[place].passedDate = min(notification.passedDate, notification.fireDate)
            return false
        }
        let next = notification.has(.repeating) ? nextOccurrence(notification, record) : nil
        var event: Event
        switch ending {
        case .due:
            event = Event(kind: .due)
            event.delivery = recipient.delivery
            event.validUntil = validUntil(notification, record)
        case .expired(let reason):
            event = Event(kind: .expired)
            event.reason = reason
        }
        event.isFinal = next == nil
        emit(event, about: notification, recipient, to: &events)
        if let next {
            goOn(at: place, to: next, &recipient)
        } else {
            recipient.pending[place].flags.insert(.ended)
            if notification.has(.absolute) {
                recipient.remember(record, hash: notification.idHash, now: now)
            } else {
                recipient.unusedBytes += UInt32(record.byteCount)
            }
        }
        return true
    }

    /// What becomes of one whose fire date has come; nil: it stays.
    private func ending(of notification: PendingNotification, _ record: Record) -> Ending? {
        let isOneShot = !notification.has(.repeating)
        if isOneShot && record.expires <= now { return .expired(.expires) }
        let time = min(notification.passedDate, notification.fireDate)
        let isLate = now > time.advanced(by: policy.policy.graceMilliseconds)
        if isLate && !(isOneShot && notification.has(.deliverOverdue)) {
            return .expired(notification.isHeld ? .late : .overdue)
        }
        return notification.isHeld ? .due : nil
    }

    /// The last requested date + the smallest whole multiple of the interval that lies after now; nil when there is
    /// none before `expires`.
    private func nextOccurrence(_ notification: PendingNotification, _ record: Record) -> Instant? {
        let interval = record.trigger
        let passed = now.milliseconds - notification.requestedDate.milliseconds
        let next = notification.requestedDate.advanced(by: (passed / interval + 1) * interval)
        return next < record.expires && next != .distantFuture ? next : nil
    }

    private func goOn(at place: Int, to next: Instant, _ recipient: inout Recipient) {
        recipient.pending[place].requestedDate = next
        recipient.pending[place].fireDate = next
        recipient.pending[place].passedDate = .distantFuture
        recipient.pending[place].flags.formUnion([.recurred, .restarted])
    }

    /// The earliest of `expires` and `grace` after the fire date; after the firing for one that is delivered later than
    /// that because it asked to be (wire.md, "Events").
    private func validUntil(_ notification: PendingNotification, _ record: Record) -> Instant {
        let grace = policy.policy.graceMilliseconds
        let end = notification.fireDate.advanced(by: grace)
        return min(record.expires, end < now ? now.advanced(by: grace) : end)
    }
}
