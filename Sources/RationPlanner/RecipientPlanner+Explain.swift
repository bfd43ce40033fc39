import RationModel

private func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

/// Explanations: the plan's own steps, looked at.
extension RecipientPlanner {
    private static let movesAtEachEnd = 8
    private static let displacedAtMost = 3

    /// Explains what is pending at a place of a copy made for it.
    mutating func explain(_ recipient: borrowing Recipient, place: Int) -> Explanation {
        let notification = recipient.pending[place]
        var explanation = facts(notification, recipient)
        explainMoves(place, recipient, into: &explanation)
        rank(recipient)
        explanation.rank = (places.firstIndex { Int($0) == place } ?? 0) + 1
        explanation.share = share(of: notification, recipient)
        guard !notification.isHeld else { return explanation }
        for other in places.reversed() where recipient.pending[Int(other)].isHeld {
            guard explanation.displacedBy.count < Self.displacedAtMost else { break }
            explanation.displacedBy.append(neighbour(recipient.pending[Int(other)], recipient))
        }
        explanation.priorityThatHolds = priorityThatHolds(place, recipient)
        explanation.dateThatHolds = dateThatHolds(place, recipient)
        return explanation
    }

    /// What needs no planning.
    private func facts(_ notification: PendingNotification, _ recipient: borrowing Recipient) -> Explanation {
        let record = recipient.record(notification)
        let id = text(recipient.bytes.view(record.id))
        let type = policy.types.withName(notification.typeIndex, own: recipient.bytes.view(record.type), text)
        let named = policy.policy.types.first { $0.name.utf8.elementsEqual(type.utf8) }
        return Explanation(
            app: text(recipient.app), device: text(recipient.device), id: id, type: type,
            typeSource: notification.has(.ownTypeIsNamed) || !record.type.isEmpty ? .intent : typeSource(ofID: id),
            priority: Int(notification.priority),
            prioritySource: named?.priority == nil ? "unknownPriority" : "types.\(type).priority",
            trigger: trigger(notification), timeZone: zones[recipient.zone].name,
            requestedDate: notification.requestedDate, unmovedDate: unmovedDate(notification),
            exemption: notification.has(.repeating) ? .repeating : notification.has(.keepsTime) ? .keepsTime : nil,
            fireDate: notification.fireDate, isHeld: notification.isHeld, rank: 0, count: recipient.pending.count,
            slots: slots(of: recipient), order: policy.policy.order)
    }

    /// The type's source, of an intent that named none.
    private func typeSource(ofID id: String) -> Explanation.TypeSource {
        let prefixes = policy.policy.types.flatMap(\.prefixes).filter { id.utf8.starts(with: $0.utf8) }
        return prefixes.max { $0.utf8.count < $1.utf8.count }.map { .prefix($0) } ?? .unknown
    }

    private func trigger(_ notification: PendingNotification) -> Explanation.TriggerKind {
        if notification.has(.calendar) { return .calendar }
        if notification.has(.repeating) { return .every }
        return notification.has(.absolute) ? .at : .after
    }

    private func neighbour(
        _ notification: PendingNotification, _ recipient: borrowing Recipient
    ) -> Explanation.Neighbour {
        Explanation.Neighbour(id: text(recipient.id(notification)), date: notification.fireDate, hasFired: false)
    }

    private func share(of notification: PendingNotification, _ recipient: borrowing Recipient) -> Explanation.Share? {
        let entry = policy.quotas.place(of: notification.typeIndex)
        guard entry >= 0 else { return nil }
        let quota = policy.quotas.entries[entry]
        let slots = slots(of: recipient)
        let held = recipient.pending.elements.count {
            $0.isHeld && policy.quotas.place(of: $0.typeIndex) == entry
        }
        return Explanation.Share(
            quota: quota.key, minimum: quota.minimum?.count(of: slots), maximum: quota.maximum?.count(of: slots),
            held: held)
    }
}

/// What the rules did.
extension RecipientPlanner {
    /// Places all others that come before it, then it, and notes each move: the first and the last of many.
    private mutating func explainMoves(
        _ place: Int, _ recipient: borrowing Recipient, into explanation: inout Explanation
    ) {
        let rules = rules(of: recipient)
        guard recipient.pending[place].isBound, !rules.isEmpty else { return }
        var copy = recipient.copy()
        var ignored = EventBuffer()
        beginSingle(firstEvent: 0)
        isPlaced = false
        beginPlacing(&copy)
        let zone = zones[recipient.zone]
        // By place among the pending: what stands fixed before it.
        var isFixed = copy.pending.elements.map { !$0.isBound }
        for rank in 0..<order.count {
            let index = order[rank]
            guard index != place else { break }
            placeBound(at: index, &copy, in: zone, rules, events: &ignored)
            isFixed[index] = !copy.pending[index].has(.ended)
        }
        placer.isTracing = true
        defer { placer.isTracing = false }
        let notification = copy.pending[place]
        _ = placer.settle(
            ruled(notification, copy), from: unmovedDate(notification), until: Self.placingLimit, in: zone, rules,
            isRemembered: false)
        let steps = placer.trace
        explanation.omittedMoves = max(0, steps.count - 2 * Self.movesAtEachEnd)
        let shown = steps.prefix(Self.movesAtEachEnd) + steps.dropFirst(Self.movesAtEachEnd).suffix(Self.movesAtEachEnd)
        explanation.moves = shown.map { move($0, of: notification, copy, beside: isFixed, rules, zone) }
    }

    private func move(
        _ step: RulePlacer.Step, of notification: PendingNotification, _ recipient: borrowing Recipient,
        beside isFixed: [Bool], _ rules: CompiledRules, _ zone: ZoneTable
    ) -> Explanation.Move {
        let rule = rules.rules[step.rule]
        return Explanation.Move(
            from: step.from, to: step.to, rule: rule.path,
            reason: rule.reason(ruled(notification, recipient), at: step.from, in: zone),
            beside: neighbours(of: step.to, recipient, isFixed, list: rules.lists[step.rule], rule, rules))
    }

    /// Those that count for a rule within its reach of where it has moved a notification: they forbid what lies before.
    private func neighbours(
        of instant: Instant, _ recipient: borrowing Recipient, _ isFixed: [Bool], list: Int, _ rule: any Rule,
        _ rules: CompiledRules
    ) -> [Explanation.Neighbour] {
        guard list >= 0 else { return [] }
        func isNear(_ date: Instant, _ type: TypeIndex) -> Bool {
            rules.countings(type: type) >> UInt64(list) & 1 != 0
                && date >= instant.advanced(by: -rule.reachMilliseconds)
                && date < instant.advanced(by: rule.reachMilliseconds)
        }
        var found: [Explanation.Neighbour] = []
        for fired in recipient.history.elements where isNear(fired.date, fired.typeIndex) {
            found.append(
                Explanation.Neighbour(id: text(recipient.bytes.view(fired.id)), date: fired.date, hasFired: true))
        }
        for index in recipient.pending.indices where isFixed[index] {
            let other = recipient.pending[index]
            if isNear(other.fireDate, other.typeIndex) { found.append(neighbour(other, recipient)) }
        }
        return found.sorted {
            $0.date == $1.date ? $0.id.utf8.lexicographicallyPrecedes($1.id.utf8) : $0.date < $1.date
        }
    }
}

/// What would give a waiting one a slot: tried, by planning.
extension RecipientPlanner {
    private mutating func priorityThatHolds(_ place: Int, _ recipient: borrowing Recipient) -> Int? {
        let own = recipient.pending[place].priority
        guard own > 0 else { return nil }
        var candidates: Set<Int32> = [0]
        for other in recipient.pending.elements where other.priority < own {
            candidates.insert(other.priority)
            if other.priority > 0 { candidates.insert(other.priority - 1) }
        }
        return first(of: candidates.sorted(by: >), place, recipient) { $0.priority = $1 }.map { Int($0) }
    }

    private mutating func dateThatHolds(_ place: Int, _ recipient: borrowing Recipient) -> Instant? {
        let own = recipient.pending[place]
        var candidates: Set<Instant> = []
        for other in recipient.pending.elements where other.isHeld {
            candidates.formUnion([other.fireDate, other.fireDate.advanced(by: -1)])
        }
        let ahead = candidates.filter { $0 > now && $0 < own.requestedDate }.sorted(by: >)
        return first(of: ahead, place, recipient) { $0.requestedDate = $1 }
    }

    /// The first of some values with which one that waits would have a slot, each of which favours it more than the one
    /// before; nil if the last would not do.
    /// - Complexity: O(log n) plans.
    private mutating func first<Value>(
        of values: [Value], _ place: Int, _ recipient: borrowing Recipient,
        _ change: (inout PendingNotification, Value) -> Void
    ) -> Value? {
        var (low, high) = (0, values.count - 1)
        var found: Value?
        var middle = high
        while low <= high {
            var changed = recipient.pending[place]
            change(&changed, values[middle])
            if holds(changed, at: place, recipient) {
                found = values[middle]
                high = middle - 1
            } else {
                low = middle + 1
            }
            middle = (low + high) / 2
        }
        return found
    }

    /// Whether a notification, put in the place of one that waits, has a slot in the plan.
    private mutating func holds(
        _ changed: PendingNotification, at place: Int, _ recipient: borrowing Recipient
    ) -> Bool {
        var trial = recipient.copy()
        var ignored = EventBuffer()
        begin(&trial, events: &ignored)
        trial.pending[place] = changed
        // Where the others stand says nothing of where they would.
        isReconfigured = true
        trial.pending[place].before = PendingNotification.absentBefore
        plan(&trial, events: &ignored)
        return trial.pending.elements.contains {
            $0.isHeld && $0.idHash == changed.idHash && trial.id($0).isSame(as: recipient.id(changed))
        }
    }
}
