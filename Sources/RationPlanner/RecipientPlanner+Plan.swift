import RationModel

/// Section 4: fire dates from requested dates, then slots, then the queue's limit.
extension RecipientPlanner {
    /// Up to so many out of place are moved one by one.
    private static let insertedAtMost = 8

    mutating func plan(_ recipient: inout Recipient, events: inout EventBuffer) {
        place(&recipient, events: &events)
        sort(&recipient)
        hold(&recipient)
        limitQueue(&recipient, events: &events)
    }

    /// Sweeps out what has ended, and gives every other its fire date: the requested date, for a one-shot not before now.
    private mutating func place(_ recipient: inout Recipient, events: inout EventBuffer) {
        var kept = 0
        for index in recipient.pending.indices where !recipient.pending[index].has(.ended) {
            var notification = recipient.pending[index]
            if notification.has(.repeating) {
                notification.fireDate = notification.requestedDate
            } else {
                notification.fireDate = max(notification.requestedDate, now)
            }
            if notification.fireDate > now { notification.passedDate = .distantFuture }
            if let event = removal(of: notification, recipient) {
                emit(event, about: notification, recipient, to: &events)
                recipient.unusedBytes += UInt32(recipient.record(notification).byteCount)
                continue
            }
            recipient.pending[kept] = notification
            kept += 1
        }
        recipient.pending.removeLast(recipient.pending.count - kept)
    }

    /// Why one that is bound by the rules cannot have its fire date; nil if it can.
    @inline(__always)
    private func removal(of notification: PendingNotification, _ recipient: borrowing Recipient) -> Event? {
        // A fire date that was not moved has nothing to answer for.
        guard notification.fireDate != notification.requestedDate, !notification.has(.keepsTime) else { return nil }
        var event: Event
        let delay = notification.fireDate.milliseconds - notification.requestedDate.milliseconds
        if delay > policy.maxDelay(notification.typeIndex) {
            event = Event(kind: .evicted)
            event.reason = .delay
        } else if notification.fireDate >= recipient.record(notification).expires {
            event = Event(kind: .expired)
            event.reason = .moved
        } else {
            return nil
        }
        event.isFinal = true
        return event
    }

    /// Sorts by (fire date, priority, id). Most of it is sorted already: a few that are not are put in their places,
    /// many are left to the library's adaptive sort.
    private func sort(_ recipient: inout Recipient) {
        guard !recipient.pending.isEmpty else { return }
        var last = recipient.pending[0]
        var unsorted = 0
        for notification in recipient.pending.elements.dropFirst() {
            if precedes(notification, last, in: recipient) { unsorted += 1 } else { last = notification }
        }
        guard unsorted > 0 else { return }
        guard unsorted <= Self.insertedAtMost else {
            // Sorted where they stand; the comparison reads records only.
            var pending = recipient.pending.elements
            pending.sort { precedes($0, $1, in: recipient) }
            return
        }
        for index in recipient.pending.indices.dropFirst() {
            let notification = recipient.pending[index]
            guard precedes(notification, recipient.pending[index - 1], in: recipient) else { continue }
            let target = insertionPlace(of: notification, below: index, recipient)
            var position = index
            while position > target {
                recipient.pending[position] = recipient.pending[position - 1]
                position -= 1
            }
            recipient.pending[target] = notification
        }
    }

    private func insertionPlace(of notification: PendingNotification, below end: Int, _ recipient: borrowing Recipient)
        -> Int
    {
        var (low, high) = (0, end)
        while low < high {
            let middle = (low + high) / 2
            if precedes(notification, recipient.pending[middle], in: recipient) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }

    /// Section 4.3: the first in the policy's order get the slots.
    private mutating func hold(_ recipient: inout Recipient) {
        let slots = slots(of: recipient)
        let count = recipient.pending.count
        guard count > slots, slots > 0 else {
            for index in recipient.pending.indices { setHeld(count <= slots, at: index, &recipient) }
            return
        }
        keys.removeAll(keepingCapacity: true)
        policy.order.keys(of: UnsafeBufferPointer(recipient.pending.elements).span, into: &keys)
        precondition(keys.count == count, "an order gave \(keys.count) keys for \(count) notifications")
        if isSorted(keys) {
            for index in 0..<count { setHeld(index < slots, at: index, &recipient) }
            return
        }
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: 0..<count)
        places.sort { keys[$0] == keys[$1] ? $0 < $1 : keys[$0] < keys[$1] }
        for rank in 0..<count { setHeld(rank < slots, at: places[rank], &recipient) }
    }

    /// The policy's slots without those that the device has reserved for other code.
    private func slots(of recipient: borrowing Recipient) -> Int {
        max(0, policy.policy.slots - Int(recipient.reserved))
    }

    private func isSorted(_ keys: ContiguousArray<OrderKey>) -> Bool {
        for index in keys.indices.dropFirst() where keys[index] < keys[index - 1] { return false }
        return true
    }

    @inline(__always)
    private func setHeld(_ isHeld: Bool, at index: Int, _ recipient: inout Recipient) {
        if isHeld {
            recipient.pending[index].flags.insert(.held)
        } else {
            recipient.pending[index].flags.remove(.held)
        }
    }

    /// Section 4.4: those without a slot wait, up to a limit; the last by (priority, fire date, id) go. Who goes has no
    /// slot, so what is left is planned already.
    private mutating func limitQueue(_ recipient: inout Recipient, events: inout EventBuffer) {
        let slots = slots(of: recipient)
        let waiting = recipient.pending.count - min(slots, recipient.pending.count)
        let isDropping = policy.policy.overflow == .drop
        let excess = isDropping ? waiting : waiting - policy.policy.queueLimit
        guard excess > 0 else { return }
        places.removeAll(keepingCapacity: true)
        for index in recipient.pending.indices where !recipient.pending[index].isHeld { places.append(index) }
        places.sort {
            // Places are in the order (fire date, priority, id) already.
            let (left, right) = (recipient.pending[$0].priority, recipient.pending[$1].priority)
            return left == right ? $0 < $1 : left < right
        }
        for place in places.suffix(excess) {
            var event = Event(kind: .evicted)
            event.reason = isDropping ? .slots : .queueFull
            event.isFinal = true
            let notification = recipient.pending[place]
            emit(event, about: notification, recipient, to: &events)
            recipient.unusedBytes += UInt32(recipient.record(notification).byteCount)
            recipient.pending[place].flags.insert(.ended)
        }
        removeEnded(&recipient)
    }

    private func removeEnded(_ recipient: inout Recipient) {
        var kept = 0
        for index in recipient.pending.indices where !recipient.pending[index].has(.ended) {
            recipient.pending[kept] = recipient.pending[index]
            kept += 1
        }
        recipient.pending.removeLast(recipient.pending.count - kept)
    }
}
