import RationModel

/// Section 5.1: the intents of a batch, in the order in which they came.
extension RecipientPlanner {
    /// Applies one intent; a schedule's outcome stays `held` until the plan shows it.
    mutating func apply(
        _ index: Int, of batch: IntentBatch, from source: UnsafeRawBufferPointer, to recipient: inout Recipient,
        _ decision: inout Decision
    ) {
        let intent = batch.intents[index]
        switch intent.operation {
        case .schedule:
            do {
                decision.outcomes[index] =
                    try schedule(
                        intent, from: source, &recipient, events: &decision.events) ?? .held
            } catch {
                decision.reject(index, error)
            }
        case .cancelID, .cancelPrefix, .cancelType:
            decision.outcomes[index] = cancel(
                intent, from: source, &recipient, events: &decision.events)
        case .device:
            configure(batch.settings[Int(intent.detail)], &recipient)
        case .remove:
            remove(&recipient, events: &decision.events)
        case .feedback, .rejected: break
        }
    }

    /// Applies a `schedule`.
    /// - Returns: `unchanged`, or nil for one whose outcome the plan will show.
    mutating func schedule(
        _ intent: Intent, from source: UnsafeRawBufferPointer, _ recipient: inout Recipient,
        events: inout EventBuffer
    ) throws(Rejection) -> Outcome? {
        let id = source.view(intent.id)
        let hash = UInt16(truncatingIfNeeded: ByteHash.hash(id, seed: 0))
        let typeIndex = policy.classify(type: source.view(intent.type), id: id)
        var place = recipient.place(ofID: id, hash: hash)
        if isUnchanged(intent, hash: hash, typeIndex: typeIndex, from: source, recipient, at: place) {
            return .unchanged
        }
        let (date, stored) = try requestedDate(of: intent)
        isChanged = true
        recipient.isNamed = true
        var keepsItsTime = false
        if let pending = place, wouldFire(recipient.pending[pending], recipient) {
            if case .at(let date) = intent.trigger, recipient.pending[pending].has(.absolute),
                recipient.record(recipient.pending[pending]).trigger == date.milliseconds
            {
                keepsItsTime = true
            } else if fire(at: pending, &recipient, events: &events), isEnded(recipient, pending) {
                place = nil
            }
        }
        var notification = made(intent, hash: hash, typeIndex: typeIndex, date: date)
        notification.record = Record.append(intent, trigger: stored, from: source, to: &recipient.bytes)
        if let place {
            replace(at: place, with: notification, keepsItsTime: keepsItsTime, &recipient)
        } else {
            recipient.pending.append(notification)
        }
        return nil
    }

    private func isEnded(_ recipient: borrowing Recipient, _ place: Int) -> Bool {
        recipient.pending[place].has(.ended)
    }

    private func made(_ intent: Intent, hash: UInt16, typeIndex: UInt16, date: Instant) -> PendingNotification {
        var flags: PendingNotification.Flags = [.restarted]
        switch intent.trigger {
        case .every: flags.insert(.repeating)
        case .at: flags.insert(.absolute)
        case .none, .after, .calendar: break
        }
        if intent.overdue == .deliver { flags.insert(.deliverOverdue) }
        if policy.keepsTime(typeIndex) { flags.insert(.keepsTime) }
        return PendingNotification(
            fireDate: date, requestedDate: date, passedDate: .distantFuture, record: 0,
            priority: policy.priority(typeIndex), idHash: hash, typeIndex: typeIndex,
            before: PendingNotification.absentBefore, flags: flags)
    }

    private func replace(
        at place: Int, with notification: PendingNotification, keepsItsTime: Bool, _ recipient: inout Recipient
    ) {
        let old = recipient.pending[place]
        recipient.unusedBytes += UInt32(recipient.record(old).byteCount)
        var notification = notification
        notification.before = old.before
        notification.flags.insert(.replaced)
        if old.isHeld { notification.flags.insert(.held) }
        if keepsItsTime {
            notification.flags.remove(.restarted)
            notification.fireDate = old.fireDate
            notification.requestedDate = old.requestedDate
            notification.passedDate = old.passedDate
        }
        recipient.pending[place] = notification
    }

    /// Whether an intent equals what is stored, or an `at` that has already fired or expired (section 2, "Unchanged").
    private func isUnchanged(
        _ intent: Intent, hash: UInt16, typeIndex: UInt16, from source: UnsafeRawBufferPointer,
        _ recipient: borrowing Recipient, at place: Int?
    ) -> Bool {
        guard case .at(let date) = intent.trigger else { return false }
        guard let place else {
            return recipient.remembers(id: source.view(intent.id), hash: hash, trigger: date.milliseconds, now: now)
        }
        let stored = recipient.pending[place]
        let record = recipient.record(stored)
        return stored.has(.absolute) && record.trigger == date.milliseconds && record.expires == intent.expires
            && stored.has(.deliverOverdue) == (intent.overdue == .deliver) && stored.typeIndex == typeIndex
            && recipient.bytes.view(record.content).isSame(as: source.view(intent.content))
            && isSameType(typeIndex, recipient.bytes.view(record.type), source.view(intent.type))
    }

    /// Cancels what an intent selects by id, prefix or type.
    mutating func cancel(
        _ intent: Intent, from source: UnsafeRawBufferPointer, _ recipient: inout Recipient,
        events: inout EventBuffer
    ) -> Outcome {
        let selector = source.view(intent.id)
        var isFound = false
        for place in recipient.pending.indices where !recipient.pending[place].has(.ended) {
            let notification = recipient.pending[place]
            let record = recipient.record(notification)
            let isSelected =
                switch intent.operation {
                case .cancelID: recipient.bytes.view(record.id).isSame(as: selector)
                case .cancelPrefix: recipient.bytes.view(record.id).starts(with: selector)
                default:
                    policy.withName(notification.typeIndex, own: recipient.bytes.view(record.type)) {
                        $0.isSame(as: selector)
                    }
                }
            guard isSelected else { continue }
            isFound = true
            end(at: place, cancelledBecause: .none, &recipient, events: &events)
        }
        return isFound ? .cancelled : .notFound
    }

    /// Applies a `remove`: everything pending is cancelled, the settings are forgotten, what has ended is remembered.
    mutating func remove(_ recipient: inout Recipient, events: inout EventBuffer) {
        for place in recipient.pending.indices where !recipient.pending[place].has(.ended) {
            end(at: place, cancelledBecause: .unregistered, &recipient, events: &events)
        }
        recipient.settings = nil
        recipient.reserved = 0
        recipient.delivery = .push
    }

    /// Applies a `device`: only the named fields change.
    mutating func configure(_ change: DeviceSettings, _ recipient: inout Recipient) {
        recipient.isNamed = true
        var settings = recipient.settings?.value ?? DeviceSettings()
        guard settings.apply(change) else { return }
        isChanged = true
        recipient.settings = StoredSettings(settings)
        recipient.reserved = settings.reserved ?? 0
        recipient.delivery = settings.delivery ?? .push
    }

    /// Ends one that is cancelled; it is told if it was pending before the batch, with the date that it had then.
    private mutating func end(
        at place: Int, cancelledBecause reason: EventReason, _ recipient: inout Recipient,
        events: inout EventBuffer
    ) {
        isChanged = true
        let notification = recipient.pending[place]
        recipient.pending[place].flags.insert(.ended)
        recipient.unusedBytes += UInt32(recipient.record(notification).byteCount)
        guard notification.before != PendingNotification.absentBefore else { return }
        var event = Event(kind: .cancelled)
        event.reason = reason
        event.isFinal = true
        emit(event, about: before[Int(notification.before)], recipient, to: &events)
    }
}
