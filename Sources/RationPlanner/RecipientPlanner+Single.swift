import RationModel

/// A batch's only intent for a recipient of which nothing has come: planning again would change the notification that it
/// names and who stands at the border of the slots, so only these are looked at. It ends as planning from scratch would.
extension RecipientPlanner {
    /// What the only intent comes to.
    enum SingleResult {
        /// Nothing was done: it needs more than this.
        case notApplicable
        case outcome(Outcome)
    }

    /// Applies the only intent for a recipient, if it is of the kind that can be planned alone.
    mutating func applySingle(
        _ intent: Intent, from source: UnsafeRawBufferPointer, to recipient: inout Recipient, events: inout EventBuffer
    ) throws(Rejection) -> SingleResult {
        guard policy.holdsInOrderOfDates, policy.policy.overflow == .queue, recipient.revision == revision,
            recipient.pending.isEmpty || recipient.pending[0].fireDate > now
        else { return .notApplicable }
        beginSingle(firstEvent: events.events.count)
        switch intent.operation {
        case .schedule: return try scheduleSingle(intent, from: source, &recipient, events: &events)
        case .cancelID: return cancelSingle(source.view(intent.id), &recipient, events: &events)
        default: return .notApplicable
        }
    }

    private mutating func scheduleSingle(
        _ intent: Intent, from source: UnsafeRawBufferPointer, _ recipient: inout Recipient, events: inout EventBuffer
    ) throws(Rejection) -> SingleResult {
        let id = source.view(intent.id)
        let hash = UInt16(truncatingIfNeeded: ByteHash.hash(id, seed: 0))
        let typeIndex = policy.types.classify(type: source.view(intent.type), id: id)
        let place = recipient.place(ofID: id, hash: hash)
        if isUnchanged(intent, hash: hash, typeIndex: typeIndex, from: source, recipient, at: place) {
            return .outcome(.unchanged)
        }
        let requested = try requestedDate(of: intent, from: source, zone: recipient.zone)
        let isRoom = place != nil || recipient.pending.count < slots(of: recipient) + policy.policy.queueLimit
        var notification = made(intent, hash: hash, typeIndex: typeIndex, date: requested.date)
        guard isRoom,
            placeAlone(
                &notification, replacing: place, intent, source, recipient)
        else {
            return .notApplicable
        }
        isChanged = true
        recipient.isNamed = true
        before.removeAll()
        if let place {
            before.append(recipient.pending[place])
            notification.before = 0
            notification.flags.insert(.replaced)
        }
        notification.record = append(intent, of: notification, requested, from: source, to: &recipient)
        let isHeld = settleSingle(notification, replacing: place, &recipient, events: &events)
        return .outcome(isHeld ? .held : .queued)
    }

    private mutating func cancelSingle(
        _ id: UnsafeRawBufferPointer, _ recipient: inout Recipient, events: inout EventBuffer
    ) -> SingleResult {
        let hash = UInt16(truncatingIfNeeded: ByteHash.hash(id, seed: 0))
        guard let place = recipient.place(ofID: id, hash: hash) else { return .outcome(.notFound) }
        let notification = recipient.pending[place]
        guard !frees(notification, at: place, recipient) else { return .notApplicable }
        isChanged = true
        var event = Event(kind: .cancelled)
        event.isFinal = true
        emit(event, about: notification, recipient, to: &events)
        before.removeAll()
        before.append(notification)
        _ = settleSingle(nil, replacing: place, &recipient, events: &events)
        return .outcome(.cancelled)
    }

    /// Puts the new in the place of the old, passes on a slot at the border, and tells both.
    /// - Parameters:
    ///   - notification: nil when the old one is cancelled.
    ///   - place: of the old one, which is `before[0]`; nil for a new one.
    /// - Returns: whether the new one is held.
    private mutating func settleSingle(
        _ notification: PendingNotification?, replacing place: Int?, _ recipient: inout Recipient,
        events: inout EventBuffer
    ) -> Bool {
        let slots = slots(of: recipient)
        if let place {
            drop(recipient.pending[place], of: &recipient)
            recipient.pending.remove(at: place)
        }
        let others = recipient.pending.count
        let target = notification.map { insertionPlace(of: $0, below: others, recipient) }
        let isHeld = target.map { $0 < slots } ?? false
        let heldBefore = slots - (place.map { $0 < slots } ?? false ? 1 : 0)
        let heldAfter = slots - (isHeld ? 1 : 0)
        let border = passSlot(from: heldBefore, to: heldAfter, &recipient, events: &events)
        if let notification, let target {
            recipient.pending.insert(notification, at: target)
            setHeld(isHeld, at: target, &recipient)
            if let event = difference(recipient.pending[target], recipient) {
                emit(event, about: recipient.pending[target], recipient, to: &events)
            }
            recipient.pending[target].flags.subtract(.ofBatch)
        }
        recipient.wake = nextWakeSingle(recipient)
        journalSingle(recipient, replacing: place, target: target, border: border)
        if place != nil, let target { recipient.moveLastRecord(of: target, toPlaceOf: before[0]) }
        sortEvents(&events)
        compact(&recipient)
        return isHeld
    }

    /// Gives the slot that became free to the first that waits, or takes one from the last that has one.
    /// - Parameters:
    ///   - before: how many of the others had a slot, as far as there are so many.
    /// - Returns: its place among the others; nil if there is none such.
    private mutating func passSlot(
        from before: Int, to after: Int, _ recipient: inout Recipient, events: inout EventBuffer
    ) -> Int? {
        let border = min(before, after)
        guard before != after, border < recipient.pending.count else { return nil }
        setHeld(after > before, at: border, &recipient)
        let event = after > before ? told(.accepted, .promoted) : displaced()
        emit(event, about: recipient.pending[border], recipient, to: &events)
        return border
    }

    private func nextWakeSingle(_ recipient: borrowing Recipient) -> Instant {
        guard !recipient.pending.isEmpty else { return .distantFuture }
        let first = recipient.pending[0]
        return first.isHeld || first.fireDate > now ? first.fireDate : nextWake(recipient)
    }
}

/// The rules, for one that is planned alone.
extension RecipientPlanner {
    /// Gives one its fire date beside all others, if that neither removes it nor touches another.
    private mutating func placeAlone(
        _ notification: inout PendingNotification, replacing place: Int?, _ intent: Intent,
        _ source: UnsafeRawBufferPointer, _ recipient: borrowing Recipient
    ) -> Bool {
        let rules = rules(of: recipient)
        notification.fireDate = unmovedDate(notification)
        guard !rules.isEmpty else { return true }
        guard rules.isSymmetric else { return false }
        if let place, frees(recipient.pending[place], at: place, recipient) { return false }
        let ruled = RuledNotification(
            type: notification.typeIndex, ownType: source.view(intent.type), level: notification.level,
            content: source.view(intent.content))
        let zone = zones[recipient.zone]
        if notification.isBound {
            let settled = settleAlone(notification, ruled, replacing: place, source.view(intent.id), recipient, rules)
            notification.fireDate = settled.date
            if settled.isCrowded { notification.flags.insert(.crowded) }
            let isRemoved =
                settled.eviction != nil || isTooLate(settled.date, for: notification)
                || settled.date >= intent.expires
            guard !isRemoved else { return false }
        }
        guard rules.listCount > 0, rules.countings(type: ruled.type) != 0 else { return true }
        let reach = rules.reachMilliseconds
        let date = notification.fireDate
        fixOthers(than: place, date.advanced(by: -reach), date.advanced(by: reach), recipient, rules) { _ in true }
        return placer.isUndisturbing(ruled, at: notification.fireDate, in: zone, rules)
    }

    /// The date of one beside those that are placed before it. Few are near enough to matter: all are looked at only if it
    /// goes further than they reach.
    private mutating func settleAlone(
        _ notification: PendingNotification, _ ruled: RuledNotification, replacing place: Int?,
        _ id: UnsafeRawBufferPointer, _ recipient: borrowing Recipient, _ rules: CompiledRules
    ) -> RulePlacer.Settled {
        let reach = rules.reachMilliseconds
        let start = notification.fireDate
        var end = start.advanced(by: Self.nearReaches * reach)
        while true {
            fixOthers(than: place, start.advanced(by: -reach), end, recipient, rules) { other in
                !other.isBound || Self.isPlaced(other, before: notification, id, recipient)
            }
            let settled = placer.settle(
                ruled, from: start, until: Self.placingLimit, in: zones[recipient.zone], rules, isRemembered: false)
            if settled.date.advanced(by: reach) <= end || end == .distantFuture { return settled }
            end = .distantFuture
        }
    }

    /// How many times further than rules reach is looked at first.
    private static let nearReaches: Int64 = 4

    /// Makes what has fired and the others that `isIncluded` picks, between two instants, the fixed dates.
    private mutating func fixOthers(
        than place: Int?, _ start: Instant, _ end: Instant, _ recipient: borrowing Recipient, _ rules: CompiledRules,
        _ isIncluded: (PendingNotification) -> Bool
    ) {
        placer.begin(rules)
        for entry in recipient.history.elements { placer.fix(entry.date, type: entry.typeIndex, rules) }
        guard rules.listCount > 0 else { return }
        for index in firstPlace(from: start, recipient)..<recipient.pending.count where index != place {
            let other = recipient.pending[index]
            guard other.fireDate < end else { break }
            guard isIncluded(other) else { continue }
            // The marks of asymmetric rules are the only use of more than type and level; they are not planned alone.
            placer.fix(other.fireDate, type: other.typeIndex, rules)
        }
    }

    /// The place of the first at or after an instant among the pending, which stand by their fire dates.
    private func firstPlace(from instant: Instant, _ recipient: borrowing Recipient) -> Int {
        var (low, high) = (0, recipient.pending.count)
        while low < high {
            let middle = (low + high) / 2
            if recipient.pending[middle].fireDate < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a pending one is placed before another: by (priority, requested date, id).
    private static func isPlaced(
        _ other: PendingNotification, before notification: PendingNotification, _ id: UnsafeRawBufferPointer,
        _ recipient: borrowing Recipient
    ) -> Bool {
        if other.priority != notification.priority { return other.priority < notification.priority }
        if other.requestedDate != notification.requestedDate {
            return other.requestedDate < notification.requestedDate
        }
        return Name.compare(recipient.id(other), id) < 0
    }

    /// Whether another, which stands where it does because others are near, might stand elsewhere without this one.
    private func frees(_ notification: PendingNotification, at place: Int, _ recipient: borrowing Recipient) -> Bool {
        let rules = rules(of: recipient)
        guard rules.listCount > 0 else { return false }
        guard rules.isSymmetric else { return true }
        guard rules.countings(type: notification.typeIndex) != 0 else { return false }
        let reach = rules.reachMilliseconds
        let id = recipient.id(notification)
        for index in recipient.pending.indices where recipient.pending[index].has(.crowded) && index != place {
            let other = recipient.pending[index]
            guard notification.fireDate > unmovedDate(other).advanced(by: -reach),
                notification.fireDate < other.fireDate.advanced(by: reach)
            else { continue }
            if !notification.isBound || !Self.isPlaced(other, before: notification, id, recipient) { return true }
        }
        return false
    }
}
