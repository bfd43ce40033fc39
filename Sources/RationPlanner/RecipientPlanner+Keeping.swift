import RationModel

/// Planning again moves few: one that is placed beside the same dates as before, as far as any rule looks, stands where
/// it stood. Only the others are carried through the rules.
extension RecipientPlanner {
    /// Notes which dates have come or gone since the last plan among those that are fixed before any bound one is placed.
    /// - Returns: whether the last plan says anything: nothing else that decides dates has changed.
    mutating func beginKeeping(_ recipient: borrowing Recipient) -> Bool {
        guard !isRevised, !isReconfigured, !before.isEmpty else { return false }
        changedDates.removeAll()
        goOn.removeAll(keepingCapacity: true)
        goOn.append(contentsOf: repeatElement(false, count: before.count))
        for notification in recipient.pending.elements {
            let goesOn = goesOn(notification)
            if goesOn { goOn[Int(notification.before)] = true }
            guard !notification.isBound else { continue }
            if goesOn {
                noteMove(of: notification, from: before[Int(notification.before)].fireDate)
            } else {
                changedDates.insert(notification.fireDate, mark: 0)
            }
        }
        for index in before.indices where !goOn[index] { changedDates.insert(before[index].fireDate, mark: 0) }
        for entry in recipient.history.elements.reversed() {
            guard entry.date == now else { break }
            changedDates.insert(entry.date, mark: 0)
        }
        return true
    }

    /// Whether it is what it was in the last plan.
    @inline(__always)
    private func goesOn(_ notification: PendingNotification) -> Bool {
        guard notification.before != PendingNotification.absentBefore, !notification.has(.replaced) else {
            return false
        }
        return before[Int(notification.before)].requestedDate == notification.requestedDate
    }

    /// Leaves a bound one where it stood, if every date that a rule could have looked at stands where it stood.
    /// - Returns: whether it is placed.
    mutating func keep(_ index: Int, _ recipient: inout Recipient, _ rules: CompiledRules) -> Bool {
        let notification = recipient.pending[index]
        guard goesOn(notification), notification.requestedDate >= now else { return false }
        let old = before[Int(notification.before)]
        if rules.listCount > 0 {
            // Rules were asked at instants from the requested date to the fire date.
            let reach = rules.reachMilliseconds
            let near = changedDates.firstIndex(after: notification.requestedDate.advanced(by: -reach))
            guard near == changedDates.count || changedDates[near].date >= old.fireDate.advanced(by: reach) else {
                return false
            }
        }
        setFireDate(old.fireDate, isCrowded: old.has(.crowded), ofPending: index, &recipient)
        if rules.isSymmetric {
            placer.fix(old.fireDate, type: notification.typeIndex, rules)
        } else {
            placer.fix(old.fireDate, of: ruled(notification, recipient), rules)
        }
        return true
    }

    /// Notes where one has gone that was placed anew.
    mutating func noteMove(of index: Int, _ recipient: borrowing Recipient) {
        let notification = recipient.pending[index]
        guard goesOn(notification) else {
            // Where it stood is noted already.
            if !notification.has(.ended) { changedDates.insert(notification.fireDate, mark: 0) }
            return
        }
        let old = before[Int(notification.before)].fireDate
        if notification.has(.ended) {
            changedDates.insert(old, mark: 0)
        } else {
            noteMove(of: notification, from: old)
        }
    }

    private mutating func noteMove(of notification: PendingNotification, from old: Instant) {
        guard notification.fireDate != old else { return }
        changedDates.insert(old, mark: 0)
        changedDates.insert(notification.fireDate, mark: 0)
    }
}
