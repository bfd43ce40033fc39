import RationModel

/// Section 5.4: the difference between before and after the batch, as events.
extension RecipientPlanner {
    mutating func tellDifference(_ recipient: inout Recipient, events: inout EventBuffer) {
        for index in recipient.pending.indices {
            let notification = recipient.pending[index]
            guard let event = difference(notification, recipient) else { continue }
            emit(event, about: notification, recipient, to: &events)
        }
    }

    func difference(_ after: PendingNotification, _ recipient: borrowing Recipient) -> Event? {
        guard after.before != PendingNotification.absentBefore else {
            return told(after.isHeld ? .accepted : .queued, .new)
        }
        let before = before[Int(after.before)]
        if before.isHeld && !after.isHeld {
            return displaced()
        }
        let hasMoved = before.fireDate != after.fireDate
        // An `at` is as it was by its value; what starts anew is so only if its fire date is the same, too.
        let isAsItWas = (after.has(.absolute) || !hasMoved) && isAsItWas(before, after, recipient)
        let isReplaced = after.has(.replaced) && !isAsItWas
        if after.isHeld {
            if isReplaced { return told(.accepted, .replaced) }
            if after.has(.recurred) { return told(.accepted, .recurring) }
            if !before.isHeld { return told(.accepted, isRevised ? .policy : .promoted) }
            return hasMoved ? told(.accepted, isRevised ? .policy : .moved) : nil
        }
        if isReplaced { return told(.queued, .replaced) }
        if after.has(.recurred) { return told(.queued, .recurring) }
        return hasMoved && (before.fireDate > now || after.fireDate > now)
            ? told(.queued, isRevised ? .policy : .moved) : nil
    }

    /// One that has lost its slot and waits for another.
    func displaced() -> Event {
        var event = Event(kind: .evicted)
        event.reason = .slots
        if isRevised { event.cause = .policy }
        event.isFinal = false
        return event
    }

    @inline(__always)
    func told(_ kind: EventKind, _ cause: EventCause) -> Event {
        var event = Event(kind: kind)
        event.cause = cause
        return event
    }

    /// Whether replacing led back to what was stored before the batch: there and back again is no change. An `at` is the
    /// same by its value; the others start anew, so that they are the same only with the same requested date.
    func isAsItWas(
        _ before: PendingNotification, _ after: PendingNotification, _ recipient: borrowing Recipient
    ) -> Bool {
        let (old, new) = (recipient.record(before), recipient.record(after))
        let kinds = PendingNotification.Flags.ofTrigger.union(.deliverOverdue)
        return before.flags.intersection(kinds) == after.flags.intersection(kinds)
            && isSameTrigger(before, old, after, new, recipient) && old.expires == new.expires
            && isSameContent(old, new, recipient)
            && before.typeIndex == after.typeIndex
            && isSameType(before.typeIndex, recipient.bytes.view(old.type), recipient.bytes.view(new.type))
    }

    private func isSameContent(_ old: Record, _ new: Record, _ recipient: borrowing Recipient) -> Bool {
        let (left, right) = (recipient.bytes.view(old.content), recipient.bytes.view(new.content))
        guard recipient.hasStoredContents, !left.isEmpty, !right.isEmpty else { return left.isSame(as: right) }
        return StoredContent(left).isSame(as: StoredContent(right))
    }

    /// Whether two notifications of one kind of trigger have the same.
    private func isSameTrigger(
        _ before: PendingNotification, _ old: Record, _ after: PendingNotification, _ new: Record,
        _ recipient: borrowing Recipient
    ) -> Bool {
        if before.has(.absolute) { return writtenDate(before, old) == writtenDate(after, new) }
        guard before.requestedDate == after.requestedDate, old.number == new.number else { return false }
        guard before.has(.calendar) else { return true }
        let bytes = UnsafeRawBufferPointer(recipient.bytes.elements)
        let (left, right) = (StoredCalendar(bytes, at: old.calendar), StoredCalendar(bytes, at: new.calendar))
        return left.pattern == right.pattern && bytes.view(left.timeZone).isSame(as: bytes.view(right.timeZone))
    }

    /// Whether two notifications of one place in the policy are of one type as classified.
    func isSameType(_ typeIndex: TypeIndex, _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        typeIndex != PolicyTypes.unnamed
            || policy.types.withName(typeIndex, own: left) { left in
                policy.types.withName(typeIndex, own: right) { $0.isSame(as: left) }
            }
    }

    /// Adds an event about a notification, with copies of the bytes that it tells.
    mutating func emit(
        _ event: Event, about notification: PendingNotification, _ recipient: borrowing Recipient,
        to events: inout EventBuffer
    ) {
        var event = event
        let record = recipient.record(notification)
        event.recipient = place(of: recipient, in: &events)
        event.fireDate = notification.fireDate
        event.requestedDate = notification.requestedDate
        event.priority = notification.priority
        event.isTypeNamed = notification.typeIndex != PolicyTypes.unnamed
        event.id = events.bytes.append(recipient.bytes.view(record.id))
        event.type = policy.types.withName(notification.typeIndex, own: recipient.bytes.view(record.type)) {
            events.bytes.append($0)
        }
        if event.kind == .due { setContent(of: &event, recipient.bytes.view(record.content), recipient, &events) }
        events.events.append(event)
    }

    private func setContent(
        of event: inout Event, _ bytes: UnsafeRawBufferPointer, _ recipient: borrowing Recipient,
        _ events: inout EventBuffer
    ) {
        guard recipient.hasStoredContents, !bytes.isEmpty else {
            event.content = events.bytes.append(bytes)
            return
        }
        let stored = StoredContent(bytes)
        event.contentPosition = stored.position
        event.content = ByteRange(offset: 0, count: stored.count)
    }

    /// The recipient's place in the event buffer, entered with its first event.
    private mutating func place(of recipient: borrowing Recipient, in events: inout EventBuffer) -> UInt32 {
        if let eventRecipient { return eventRecipient }
        let app = events.bytes.append(recipient.app)
        let device = events.bytes.append(recipient.device)
        let place = UInt32(truncatingIfNeeded: events.recipients.count)
        events.recipients.append(EventBuffer.Recipient(app: app, device: device))
        eventRecipient = place
        return place
    }

    /// Sorts the recipient's events by kind, then (fire date, priority, id).
    mutating func sortEvents(_ buffer: inout EventBuffer) {
        let count = buffer.events.count
        guard count - firstEvent > 1 else { return }
        let bytes = buffer.bytes
        buffer.events.withUnsafeMutableBufferPointer { events in
            eventSorter.sort(UnsafeMutableBufferPointer(rebasing: events[firstEvent...])) { left, right in
                if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
                if left.fireDate != right.fireDate { return left.fireDate < right.fireDate }
                if left.priority != right.priority { return left.priority < right.priority }
                return bytes.with(left.id) { left in bytes.with(right.id) { Name.compare(left, $0) < 0 } }
            }
        }
    }

    /// What became of a scheduled notification by the end of the batch.
    func outcome(
        ofID id: UnsafeRawBufferPointer, _ recipient: borrowing Recipient, _ buffer: borrowing EventBuffer
    ) -> Outcome {
        let hash = UInt16(truncatingIfNeeded: ByteHash.hash(id, seed: 0))
        if let place = recipient.place(ofID: id, hash: hash) {
            return recipient.pending[place].isHeld ? .held : .queued
        }
        for index in (firstEvent..<buffer.events.count).reversed()
        where buffer.bytes.with(buffer.events[index].id, { $0.isSame(as: id) }) {
            switch buffer.events[index].kind {
            case .evicted: return .evicted
            case .expired: return .expired
            case .due: return .held
            default: continue
            }
        }
        return .cancelled
    }
}
