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
    mutating func wouldFire(_ notification: PendingNotification, _ recipient: borrowing Recipient) -> Bool {
        mayFire(notification) && ending(of: notification, recipient.record(notification), recipient) != nil
    }

    /// Fires or expires one that may fire; one that stays keeps the first date that passed as its time.
    /// - Returns: whether it fired or expired.
    mutating func fire(
        at place: Int, _ recipient: inout Recipient, events: inout EventBuffer
    ) -> Bool {
        let notification = recipient.pending[place]
        let record = recipient.record(notification)
        guard let ending = ending(of: notification, record, recipient) else {
            if notification.fireDate < recipient.passedDate(notification) {
                recipient.setPassedDate(notification.fireDate, ofPending: place)
            }
            return false
        }
        let next = notification.has(.repeating) ? nextOccurrence(notification, record, recipient) : nil
        var event: Event
        switch ending {
        case .due:
            event = Event(kind: .due)
            event.delivery = recipient.delivery
            event.validUntil = validUntil(notification, record, recipient)
            joinHistory(notification, record, &recipient)
        case .expired(let reason):
            event = Event(kind: .expired)
            event.reason = reason
        }
        event.isFinal = next == nil
        emit(event, about: notification, recipient, to: &events)
        if let next {
            goOn(at: place, to: next, record, &recipient)
        } else {
            end(at: place, record, &recipient)
        }
        return true
    }

    private mutating func end(at place: Int, _ record: Record, _ recipient: inout Recipient) {
        let notification = recipient.pending[place]
        recipient.pending[place].flags.insert(.ended)
        drop(notification, of: &recipient)
        guard notification.has(.absolute) else { return }
        journal.newlyRemembered += 1
        recipient.remember(
            record.id, hash: notification.idHash, trigger: writtenDate(notification, record), now: now)
    }

    /// What becomes of one whose fire date has come; nil: it stays.
    private mutating func ending(
        of notification: PendingNotification, _ record: Record, _ recipient: borrowing Recipient
    ) -> Ending? {
        let isOneShot = !notification.has(.repeating)
        if isOneShot && record.expires <= now { return .expired(.expires) }
        let time = min(recipient.passedDate(notification), notification.fireDate)
        let isLate = now > time.advanced(by: policy.policy.graceMilliseconds)
        if isLate && !(isOneShot && notification.has(.deliverOverdue)) {
            return .expired(notification.isHeld ? .late : .overdue)
        }
        return notification.isHeld && isAllowedNow(notification, recipient) ? .due : nil
    }

    /// Whether the rules allow now beside what has fired.
    private mutating func isAllowedNow(_ notification: PendingNotification, _ recipient: borrowing Recipient) -> Bool {
        let rules = rules(of: recipient)
        guard notification.isBound, !rules.isEmpty else { return true }
        placeHistory(recipient)
        return placer.allows(
            ruled(notification, recipient), at: now, until: Self.placingLimit, in: zones[recipient.zone], rules)
    }

    /// Makes what has fired the fixed dates, once a batch.
    mutating func placeHistory(_ recipient: borrowing Recipient) {
        guard !hasPlacedHistory else { return }
        hasPlacedHistory = true
        let rules = rules(of: recipient)
        placer.begin(rules)
        for entry in recipient.history.elements { placer.fix(entry.date, of: recipient.ruled(entry), rules) }
    }

    /// What has fired counts from now on.
    private mutating func joinHistory(
        _ notification: PendingNotification, _ record: Record, _ recipient: inout Recipient
    ) {
        let rules = rules(of: recipient)
        guard rules.reachMilliseconds > 0 else { return }
        if hasPlacedHistory { placer.fix(now, of: ruled(notification, recipient), rules) }
        if recipient.join(notification, record, now: now, reach: rules.reachMilliseconds) { journal.needsImage = true }
        journal.joined += 1
    }

    /// The next requested date of a repeating one after now; nil when there is none before `expires`.
    private func nextOccurrence(
        _ notification: PendingNotification, _ record: Record, _ recipient: borrowing Recipient
    ) -> Instant? {
        let next: Instant
        if notification.has(.calendar) {
            let bytes = UnsafeRawBufferPointer(recipient.bytes.elements)
            let calendar = StoredCalendar(bytes, at: record.calendar)
            let zone = zone(of: calendar, bytes, recipient)
            guard let match = calendar.pattern.next(after: now, in: zone, until: horizon) else { return nil }
            next = match
        } else {
            // The last requested date + the smallest whole multiple of the interval that lies after now.
            let passed = now.milliseconds - notification.requestedDate.milliseconds
            next = notification.requestedDate.advanced(by: (passed / record.number + 1) * record.number)
        }
        return next < record.expires && next != .distantFuture ? next : nil
    }

    private func goOn(at place: Int, to next: Instant, _ record: Record, _ recipient: inout Recipient) {
        recipient.pending[place].requestedDate = next
        recipient.pending[place].fireDate = next
        if recipient.pending[place].has(.hasPassedRoom) { recipient.setPassedDate(.distantFuture, ofPending: place) }
        if !record.calendar.isEmpty {
            StoredCalendar.setBegin(
                now, at: record.calendar, in: UnsafeMutableRawBufferPointer(recipient.bytes.elements))
        }
        recipient.pending[place].flags.formUnion([.recurred, .restarted])
    }

    /// The earliest of `expires`, `grace` after the fire date, and the next instant at which a rule ends it; `grace` counts
    /// from the firing for one that is delivered later than that because it asked to be (wire.md, "Events").
    private func validUntil(
        _ notification: PendingNotification, _ record: Record, _ recipient: borrowing Recipient
    ) -> Instant {
        let grace = policy.policy.graceMilliseconds
        let end = notification.fireDate.advanced(by: grace)
        var valid = min(record.expires, end < now ? now.advanced(by: grace) : end)
        let rules = rules(of: recipient)
        guard notification.isBound, !rules.isEmpty else { return valid }
        let ruled = ruled(notification, recipient)
        let zone = zones[recipient.zone]
        var bindings = rules.bindings(type: ruled.type, level: ruled.level)
        while bindings != 0 {
            let rule = rules.rules[bindings.trailingZeroBitCount]
            valid = min(valid, rule.end(of: ruled, after: now, until: valid, in: zone))
            bindings &= bindings &- 1
        }
        return valid
    }
}
