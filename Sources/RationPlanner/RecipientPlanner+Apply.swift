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
                warnOfCategory(index, of: batch, from: source, recipient, &decision)
            } catch {
                decision.reject(index, error)
            }
        case .cancelID, .cancelPrefix, .cancelType:
            decision.outcomes[index] = cancel(
                intent, from: source, &recipient, events: &decision.events)
        case .device:
            configure(batch.settings[Int(intent.detail)], &recipient, events: &decision.events)
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
        let typeIndex = policy.types.classify(type: source.view(intent.type), id: id)
        var place = recipient.place(ofID: id, hash: hash)
        if isUnchanged(intent, hash: hash, typeIndex: typeIndex, from: source, recipient, at: place) {
            return .unchanged
        }
        let requested = try requestedDate(of: intent, from: source, zone: recipient.zone)
        isChanged = true
        recipient.isNamed = true
        var keepsItsTime = false
        if let pending = place, wouldFire(recipient.pending[pending], recipient) {
            if isSameDate(intent.trigger, as: recipient.pending[pending], recipient) {
                keepsItsTime = true
            } else if fire(at: pending, &recipient, events: &events), recipient.pending[pending].has(.ended) {
                place = nil
            }
        }
        var notification = made(intent, hash: hash, typeIndex: typeIndex, date: requested.date)
        if let place { inherit(from: recipient.pending[place], keepsItsTime: keepsItsTime, &notification) }
        notification.record = append(intent, of: notification, requested, from: source, to: &recipient)
        if let place {
            drop(recipient.pending[place], of: &recipient)
            if keepsItsTime { keepTime(of: recipient.pending[place], &notification, &recipient) }
            recipient.pending[place] = notification
        } else {
            recipient.pending.append(notification)
        }
        return nil
    }

    /// Whether an `at` trigger has the date of a pending one.
    private func isSameDate(
        _ trigger: Trigger, as notification: PendingNotification, _ recipient: borrowing Recipient
    ) -> Bool {
        guard case .at(let date) = trigger, notification.has(.absolute) else { return false }
        return writtenDate(notification, recipient.record(notification)) == date
    }

    /// The date of an `at` trigger as it was written.
    @inline(__always)
    func writtenDate(_ notification: PendingNotification, _ record: Record) -> Instant {
        notification.requestedDate.advanced(by: -record.number)
    }

    func made(_ intent: Intent, hash: UInt16, typeIndex: TypeIndex, date: Instant) -> PendingNotification {
        var flags: PendingNotification.Flags = [.restarted, .level(intent.level)]
        switch intent.trigger {
        case .every: flags.insert(.repeating)
        case .at: flags.insert(.absolute)
        case .calendar(let trigger):
            flags.insert(.calendar)
            if trigger.repeats { flags.insert(.repeating) }
            if trigger.timeZone.isEmpty { flags.insert(.floats) }
        case .none, .after: break
        }
        if intent.overdue == .deliver { flags.insert(.deliverOverdue) }
        if policy.types.keepsTime(typeIndex) { flags.insert(.keepsTime) }
        if !intent.type.isEmpty, typeIndex != PolicyTypes.unnamed { flags.insert(.ownTypeIsNamed) }
        return PendingNotification(
            fireDate: date, requestedDate: date, record: 0, priority: policy.types.priority(typeIndex),
            typeIndex: typeIndex, idHash: hash, before: PendingNotification.absentBefore, flags: flags)
    }

    /// What a replacement takes over from the one that it replaces.
    private func inherit(
        from old: PendingNotification, keepsItsTime: Bool, _ notification: inout PendingNotification
    ) {
        notification.before = old.before
        notification.flags.insert(.replaced)
        if old.isHeld { notification.flags.insert(.held) }
        guard keepsItsTime else { return }
        notification.flags.remove(.restarted)
        notification.fireDate = old.fireDate
        notification.requestedDate = old.requestedDate
    }

    /// Lets an edited notification keep the fire date that has passed.
    private func keepTime(
        of old: PendingNotification, _ notification: inout PendingNotification, _ recipient: inout Recipient
    ) {
        let passed = recipient.passedDate(old)
        guard passed != .distantFuture else { return }
        recipient.pending.append(notification)
        let last = recipient.pending.count - 1
        recipient.setPassedDate(passed, ofPending: last)
        notification = recipient.pending[last]
        recipient.pending.removeLast(1)
    }

    /// Packs an intent's record to the end of the recipient's bytes.
    mutating func append(
        _ intent: Intent, of notification: PendingNotification, _ requested: Requested,
        from source: UnsafeRawBufferPointer, to recipient: inout Recipient
    ) -> UInt32 {
        var calendar: StoredCalendar?
        var number = requested.interval
        switch intent.trigger {
        case .calendar(let trigger): calendar = StoredCalendar(trigger, begin: now)
        case .at(let date): number = notification.requestedDate.milliseconds - date.milliseconds
        case .none, .after, .every: break
        }
        let content = source.view(intent.content)
        guard let batch = contents.batch, !content.isEmpty else {
            return Record.append(
                intent, of: notification, number: number, calendar: calendar, content: content, from: source,
                to: &recipient.bytes)
        }
        let position = ContentPosition(batch: batch, offset: Int(intent.content.offset))
        StoredContent(content, at: position).assign(to: &kept)
        return Record.append(
            intent, of: notification, number: number, calendar: calendar,
            content: UnsafeRawBufferPointer(kept.elements), from: source, to: &recipient.bytes)
    }

    /// Whether an intent equals what is stored, or an `at` that has already fired or expired (section 2, "Unchanged").
    func isUnchanged(
        _ intent: Intent, hash: UInt16, typeIndex: TypeIndex, from source: UnsafeRawBufferPointer,
        _ recipient: borrowing Recipient, at place: Int?
    ) -> Bool {
        guard let place else {
            guard case .at(let date) = intent.trigger else { return false }
            return recipient.remembers(id: source.view(intent.id), hash: hash, trigger: date, now: now)
        }
        let stored = recipient.pending[place]
        let record = recipient.record(stored)
        let isSameTrigger =
            switch intent.trigger {
            case .at(let date): stored.has(.absolute) && writtenDate(stored, record) == date
            case .calendar(let trigger): isSame(trigger, from: source, as: stored, record, recipient)
            case .none, .after, .every: false
            }
        return isSameTrigger && record.expires == intent.expires
            && stored.has(.deliverOverdue) == (intent.overdue == .deliver) && stored.typeIndex == typeIndex
            && isSameContent(record, source.view(intent.content), recipient)
            && isSameType(typeIndex, recipient.bytes.view(record.type), source.view(intent.type))
    }

    private func isSameContent(
        _ record: Record, _ content: UnsafeRawBufferPointer, _ recipient: borrowing Recipient
    ) -> Bool {
        let stored = recipient.bytes.view(record.content)
        guard recipient.hasStoredContents, !stored.isEmpty else { return stored.isSame(as: content) }
        return StoredContent(stored).isSame(as: content)
    }

    private func isSame(
        _ trigger: CalendarTrigger, from source: UnsafeRawBufferPointer, as stored: PendingNotification,
        _ record: Record, _ recipient: borrowing Recipient
    ) -> Bool {
        guard stored.has(.calendar) else { return false }
        let calendar = StoredCalendar(UnsafeRawBufferPointer(recipient.bytes.elements), at: record.calendar)
        return calendar.pattern == trigger.pattern && stored.has(.repeating) == trigger.repeats
            && recipient.bytes.view(calendar.timeZone).isSame(as: source.view(trigger.timeZone))
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
                    policy.types.withName(notification.typeIndex, own: recipient.bytes.view(record.type)) {
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
        isReconfigured = true
        journal.namesSettings = true
        recipient.settings = nil
        recipient.reserved = 0
        recipient.delivery = .push
        recipient.zone = PlannerZones.policyPlace
    }

    /// Applies a `device`: only the named fields change.
    mutating func configure(_ change: DeviceSettings, _ recipient: inout Recipient, events: inout EventBuffer) {
        recipient.isNamed = true
        let stored = recipient.settings?.value
        var settings = stored ?? DeviceSettings()
        var change = change
        // Also the same token again: a sender needs to know whether it was told since it was found dead.
        if change.token != nil { change.registered = now }
        let isDifferent = settings.apply(change, defaultTimeZone: policy.policy.timeZone)
        // A value that holds anyway touches nothing, but is kept.
        if isDifferent || settings != stored { journal.namesSettings = true }
        recipient.settings = StoredSettings(settings, rules: rules(for: settings))
        recipient.reserved = settings.reserved ?? 0
        recipient.delivery = settings.delivery ?? .push
        // The zone was found when the intent was assigned to its recipient.
        let zone = settings.timeZone.flatMap { zones.place(of: $0) } ?? PlannerZones.policyPlace
        let isTravelling = isDifferent && zone != recipient.zone
        recipient.zone = zone
        if isDifferent { (isChanged, isReconfigured) = (true, true) }
        if isTravelling { matchFloating(&recipient, events: &events) }
    }

    /// Ends one that is cancelled; it is told if it was pending before the batch, with the date that it had then.
    private mutating func end(
        at place: Int, cancelledBecause reason: EventReason, _ recipient: inout Recipient,
        events: inout EventBuffer
    ) {
        isChanged = true
        let notification = recipient.pending[place]
        recipient.pending[place].flags.insert(.ended)
        drop(notification, of: &recipient)
        guard notification.before != PendingNotification.absentBefore else { return }
        var event = Event(kind: .cancelled)
        event.reason = reason
        event.isFinal = true
        emit(event, about: before[Int(notification.before)], recipient, to: &events)
    }
}
