import RationModel

/// Section 4.1 and 4.2: fire dates from requested dates.
extension RecipientPlanner {
    /// Sweeps out what has ended, and gives every other its fire date; one that cannot have one is removed and told.
    mutating func place(_ recipient: inout Recipient, events: inout EventBuffer) {
        let rules = rules(of: recipient)
        removeEnded(&recipient)
        guard !rules.isEmpty else {
            placeUnruled(&recipient, events: &events)
            return
        }
        beginPlacing(&recipient)
        let zone = zones[recipient.zone]
        let isKeeping = beginKeeping(recipient)
        for rank in 0..<order.count {
            let index = order[rank]
            if isKeeping, keep(index, &recipient, rules) { continue }
            placeBound(at: index, &recipient, in: zone, rules, events: &events)
            if isKeeping { noteMove(of: index, recipient) }
        }
        removeEnded(&recipient)
    }

    /// Makes the dates of what has fired and of what no rule binds the fixed ones, and puts the others in order.
    mutating func beginPlacing(_ recipient: inout Recipient) {
        let rules = rules(of: recipient)
        // A second round places beside what has fired alone, too.
        if hasPlacedHistory, isPlaced { hasPlacedHistory = false }
        placeHistory(recipient)
        isPlaced = true
        order.removeAll()
        for index in recipient.pending.indices {
            let notification = recipient.pending[index]
            guard !notification.isBound else {
                order.append(notification, at: index)
                continue
            }
            setFireDate(unmovedDate(notification), isCrowded: false, ofPending: index, &recipient)
            placer.fix(recipient.pending[index].fireDate, of: ruled(notification, recipient), rules)
        }
        sortPlacingOrder(recipient)
    }

    private mutating func sortPlacingOrder(_ recipient: borrowing Recipient) {
        order.sort { left, right in
            Name.compare(recipient.id(recipient.pending[left]), recipient.id(recipient.pending[right])) < 0
        }
    }

    private mutating func placeUnruled(_ recipient: inout Recipient, events: inout EventBuffer) {
        var isRemoving = false
        for index in recipient.pending.indices {
            let notification = recipient.pending[index]
            setFireDate(unmovedDate(notification), isCrowded: false, ofPending: index, &recipient)
            guard notification.isBound, let event = removal(of: recipient.pending[index], eviction: nil, recipient)
            else {
                continue
            }
            remove(at: index, event, &recipient, events: &events)
            isRemoving = true
        }
        if isRemoving { removeEnded(&recipient) }
    }

    /// Where a notification stands before rules move it.
    @inline(__always)
    func unmovedDate(_ notification: PendingNotification) -> Instant {
        notification.has(.repeating) ? notification.requestedDate : max(notification.requestedDate, now)
    }

    mutating func placeBound(
        at index: Int, _ recipient: inout Recipient, in zone: ZoneTable, _ rules: CompiledRules,
        events: inout EventBuffer
    ) {
        let notification = recipient.pending[index]
        let ruled = ruled(notification, recipient)
        let settled = placer.settle(
            ruled, from: unmovedDate(notification), until: Self.placingLimit, in: zone, rules, isRemembered: true)
        setFireDate(settled.date, isCrowded: settled.isCrowded, ofPending: index, &recipient)
        if let event = removal(of: recipient.pending[index], eviction: settled.eviction, recipient) {
            remove(at: index, event, &recipient, events: &events)
        } else {
            placer.fix(settled.date, of: ruled, rules)
        }
    }

    @inline(__always)
    func setFireDate(_ date: Instant, isCrowded: Bool, ofPending index: Int, _ recipient: inout Recipient) {
        recipient.pending[index].fireDate = date
        if isCrowded {
            recipient.pending[index].flags.insert(.crowded)
        } else {
            recipient.pending[index].flags.remove(.crowded)
        }
    }

    /// Why a bound one cannot have its fire date; nil if it can.
    /// - Parameter eviction: why a rule removes it there.
    @inline(__always)
    private func removal(
        of notification: PendingNotification, eviction: EventReason?, _ recipient: borrowing Recipient
    ) -> Event? {
        // A fire date that was not moved has nothing to answer for.
        guard eviction != nil || notification.fireDate != notification.requestedDate else { return nil }
        var event = Event(kind: .evicted)
        event.isFinal = true
        if let eviction {
            event.reason = eviction
        } else if isTooLate(notification.fireDate, for: notification) {
            event.reason = .delay
        } else if notification.fireDate >= recipient.record(notification).expires {
            event.kind = .expired
            event.reason = .moved
        } else {
            return nil
        }
        return event
    }

    /// Whether a date is further from the requested one than its type allows, or too far ahead.
    @inline(__always)
    func isTooLate(_ date: Instant, for notification: PendingNotification) -> Bool {
        date.milliseconds - notification.requestedDate.milliseconds > policy.types.maxDelay(notification.typeIndex)
            || date > horizon
    }

    /// Removes one for good, and tells it.
    mutating func remove(at index: Int, _ event: Event, _ recipient: inout Recipient, events: inout EventBuffer) {
        let notification = recipient.pending[index]
        var event = event
        if isRevised { event.cause = .policy }
        emit(event, about: notification, recipient, to: &events)
        drop(notification, of: &recipient)
        recipient.pending[index].flags.insert(.ended)
    }

    func removeEnded(_ recipient: inout Recipient) {
        guard let first = recipient.pending.elements.firstIndex(where: { $0.has(.ended) }) else { return }
        var kept = first
        for index in first..<recipient.pending.count where !recipient.pending[index].has(.ended) {
            recipient.pending[kept] = recipient.pending[index]
            kept += 1
        }
        recipient.pending.removeLast(recipient.pending.count - kept)
    }
}
