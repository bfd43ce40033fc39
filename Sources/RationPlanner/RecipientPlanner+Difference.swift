import RationModel

/// Section 5.4: the difference between before and after the batch, as events.
extension RecipientPlanner {
    mutating func tellDifference(_ recipient: inout Recipient, names: ByteArena, events: inout EventBuffer) {
        for notification in recipient.pending {
            guard let event = difference(notification, recipient) else { continue }
            emit(event, about: notification, recipient, names: names, to: &events)
        }
    }

    private func difference(_ after: PendingNotification, _ recipient: Recipient) -> Event? {
        guard after.before != PendingNotification.absentBefore else {
            return told(after.isHeld ? .accepted : .queued, .new)
        }
        let before = before[Int(after.before)]
        if before.isHeld && !after.isHeld {
            var event = Event(kind: .evicted)
            event.reason = .slots
            event.isFinal = false
            return event
        }
        let isReplaced = after.has(.replaced) && !isAsItWas(before, after, recipient)
        let hasMoved = before.fireDate != after.fireDate
        if after.isHeld {
            if isReplaced { return told(.accepted, .replaced) }
            if after.has(.recurred) { return told(.accepted, .recurring) }
            if !before.isHeld { return told(.accepted, .promoted) }
            return hasMoved ? told(.accepted, .moved) : nil
        }
        if isReplaced { return told(.queued, .replaced) }
        if after.has(.recurred) { return told(.queued, .recurring) }
        return hasMoved && (before.fireDate > now || after.fireDate > now) ? told(.queued, .moved) : nil
    }

    @inline(__always)
    private func told(_ kind: EventKind, _ cause: EventCause) -> Event {
        var event = Event(kind: kind)
        event.cause = cause
        return event
    }

    /// Whether replacing led back to what was stored before the batch: there and back again is no change.
    private func isAsItWas(
        _ before: PendingNotification, _ after: PendingNotification, _ recipient: Recipient
    ) -> Bool {
        let (old, new) = (recipient.record(before), recipient.record(after))
        let kinds: PendingNotification.Flags = [.repeating, .absolute, .deliverOverdue]
        return before.requestedDate == after.requestedDate && before.fireDate == after.fireDate
            && before.typeIndex == after.typeIndex
            && before.flags.intersection(kinds) == after.flags.intersection(kinds)
            && old.trigger == new.trigger && old.expires == new.expires
            && recipient.withBytes(old.content) { old in recipient.withBytes(new.content) { $0.elementsEqual(old) } }
            && (before.typeIndex != CompiledPolicy.unnamedType
                || recipient.withBytes(old.type) { old in recipient.withBytes(new.type) { $0.elementsEqual(old) } })
    }

    /// Adds an event about a notification, with copies of the bytes that it tells.
    mutating func emit(
        _ event: Event, about notification: PendingNotification, _ recipient: Recipient, names: ByteArena,
        to events: inout EventBuffer
    ) {
        var event = event
        let record = recipient.record(notification)
        event.recipient = place(of: recipient, names: names, in: &events)
        event.fireDate = notification.fireDate
        event.requestedDate = notification.requestedDate
        event.priority = notification.priority
        event.isTypeNamed = notification.typeIndex != CompiledPolicy.unnamedType
        event.id = recipient.withBytes(record.id) { events.bytes.append($0) }
        event.type = recipient.withBytes(record.type) { own in
            policy.withName(notification.typeIndex, own: own) { events.bytes.append($0) }
        }
        if event.kind == .due { event.content = recipient.withBytes(record.content) { events.bytes.append($0) } }
        events.events.append(event)
    }

    /// The recipient's place in the event buffer, entered with its first event.
    private mutating func place(of recipient: Recipient, names: ByteArena, in events: inout EventBuffer) -> UInt32 {
        if let eventRecipient { return eventRecipient }
        let app = names.with(recipient.app) { events.bytes.append($0) }
        let device = names.with(recipient.device) { events.bytes.append($0) }
        let place = UInt32(truncatingIfNeeded: events.recipients.count)
        events.recipients.append(EventBuffer.Recipient(app: app, device: device))
        eventRecipient = place
        return place
    }

    /// Sorts the recipient's events by kind, then (fire date, priority, id).
    func sortEvents(_ buffer: inout EventBuffer) {
        let count = buffer.events.count
        guard count - firstEvent > 1 else { return }
        let bytes = buffer.bytes
        buffer.events[firstEvent...].sort { left, right in
            if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
            if left.fireDate != right.fireDate { return left.fireDate < right.fireDate }
            if left.priority != right.priority { return left.priority < right.priority }
            return bytes.with(left.id) { left in bytes.with(right.id) { Name.compare(left, $0) < 0 } }
        }
    }
}
