import RationModel

/// Section 4: fire dates, then slots, then the queue's limit.
extension RecipientPlanner {
    /// Up to so many out of place are moved one by one.
    private static let insertedAtMost = 8

    mutating func plan(_ recipient: inout Recipient, events: inout EventBuffer) {
        isPlaced = false
        // What is removed for want of a slot makes room in time, too.
        var isSettled = false
        while !isSettled {
            place(&recipient, events: &events)
            sort(&recipient)
            hold(&recipient)
            let isRemoving = limitQueue(&recipient, events: &events)
            isSettled = !isRemoving || rules(of: recipient).listCount == 0
        }
        // What the last round puts ahead of now starts afresh.
        for index in recipient.pending.indices
        where recipient.pending[index].has(.hasPassedRoom) && recipient.pending[index].fireDate > now {
            recipient.setPassedDate(.distantFuture, ofPending: index)
        }
    }

    /// Sorts by (fire date, priority, id). Most of it is sorted already: a few that are not are put in their places,
    /// many are merged.
    private mutating func sort(_ recipient: inout Recipient) {
        guard !recipient.pending.isEmpty else { return }
        var last = recipient.pending[0]
        var unsorted = 0
        for notification in recipient.pending.elements.dropFirst() {
            if Self.precedes(notification, last, in: recipient) { unsorted += 1 } else { last = notification }
        }
        guard unsorted > 0 else { return }
        guard unsorted <= Self.insertedAtMost else {
            // Sorted where they stand; the comparison reads records only.
            pendingSorter.sort(recipient.pending.elements) { Self.precedes($0, $1, in: recipient) }
            return
        }
        for index in recipient.pending.indices.dropFirst() {
            let notification = recipient.pending[index]
            guard Self.precedes(notification, recipient.pending[index - 1], in: recipient) else { continue }
            let target = insertionPlace(of: notification, below: index, recipient)
            var position = index
            while position > target {
                recipient.pending[position] = recipient.pending[position - 1]
                position -= 1
            }
            recipient.pending[target] = notification
        }
    }

    func insertionPlace(of notification: PendingNotification, below end: Int, _ recipient: borrowing Recipient)
        -> Int
    {
        var (low, high) = (0, end)
        while low < high {
            let middle = (low + high) / 2
            if Self.precedes(notification, recipient.pending[middle], in: recipient) {
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
        guard policy.quotas.isEmpty else { return holdByQuotas(slots, &recipient) }
        guard count > slots, slots > 0 else {
            for index in recipient.pending.indices { setHeld(count <= slots, at: index, &recipient) }
            return
        }
        if policy.holdsInOrderOfDates {
            for index in 0..<count { setHeld(index < slots, at: index, &recipient) }
            return
        }
        rank(recipient)
        for rank in 0..<count { setHeld(rank < slots, at: Int(places[rank]), &recipient) }
    }

    /// The places of the pending in the policy's order.
    mutating func rank(_ recipient: borrowing Recipient) {
        let count = recipient.pending.count
        keys.removeAll(keepingCapacity: true)
        policy.order.keys(of: UnsafeBufferPointer(recipient.pending.elements).span, into: &keys)
        precondition(keys.count == count, "an order gave \(keys.count) keys for \(count) notifications")
        places.removeAll(keepingCapacity: true)
        places.append(contentsOf: 0..<Int32(truncatingIfNeeded: count))
        guard !isSorted(keys) else { return }
        let keys = keys
        // Places begin in their order, which the sorter keeps.
        places.withUnsafeMutableBufferPointer { places in
            placeSorter.sort(places) { keys[Int($0)] < keys[Int($1)] }
        }
    }

    /// Guarantees first, each type's first in the order; then the rest in the order, up to each type's ceiling.
    private mutating func holdByQuotas(_ slots: Int, _ recipient: inout Recipient) {
        rank(recipient)
        for index in recipient.pending.indices { setHeld(false, at: index, &recipient) }
        taken.removeAll(keepingCapacity: true)
        taken.append(contentsOf: repeatElement(0, count: policy.quotas.entries.count))
        var free = slots
        for entry in policy.quotas.guarantees {
            let quota = policy.quotas.entries[entry]
            let ceiling = quota.maximum?.count(of: slots) ?? .max
            hold(upTo: min(quota.minimum?.count(of: slots) ?? 0, ceiling), ofEntry: entry, &free, &recipient)
        }
        for place in places where free > 0 && !recipient.pending[Int(place)].isHeld {
            let entry = policy.quotas.place(of: recipient.pending[Int(place)].typeIndex)
            if entry >= 0 {
                guard taken[entry] < policy.quotas.entries[entry].maximum?.count(of: slots) ?? .max else { continue }
                taken[entry] += 1
            }
            setHeld(true, at: Int(place), &recipient)
            free -= 1
        }
    }

    private mutating func hold(
        upTo limit: Int, ofEntry entry: Int, _ free: inout Int, _ recipient: inout Recipient
    ) {
        guard limit > 0 else { return }
        for place in places {
            guard free > 0, taken[entry] < limit else { return }
            guard policy.quotas.place(of: recipient.pending[Int(place)].typeIndex) == entry else { continue }
            setHeld(true, at: Int(place), &recipient)
            taken[entry] += 1
            free -= 1
        }
    }

    /// The policy's slots without those that the device has reserved for other code.
    func slots(of recipient: borrowing Recipient) -> Int {
        max(0, policy.policy.slots - Int(recipient.reserved))
    }

    private func isSorted(_ keys: ContiguousArray<OrderKey>) -> Bool {
        for index in keys.indices.dropFirst() where keys[index] < keys[index - 1] { return false }
        return true
    }

    @inline(__always)
    func setHeld(_ isHeld: Bool, at index: Int, _ recipient: inout Recipient) {
        if isHeld {
            recipient.pending[index].flags.insert(.held)
        } else {
            recipient.pending[index].flags.remove(.held)
        }
    }

    /// Section 4.4: those without a slot wait, up to a limit; the last by (priority, fire date, id) go.
    /// - Returns: whether any went.
    private mutating func limitQueue(_ recipient: inout Recipient, events: inout EventBuffer) -> Bool {
        let isDropping = policy.policy.overflow == .drop
        let held = recipient.pending.elements.reduce(0) { $0 + ($1.isHeld ? 1 : 0) }
        let waiting = recipient.pending.count - held
        let excess = isDropping ? waiting : waiting - policy.policy.queueLimit
        guard excess > 0 else { return false }
        places.removeAll(keepingCapacity: true)
        for index in recipient.pending.indices where !recipient.pending[index].isHeld {
            places.append(Int32(truncatingIfNeeded: index))
        }
        // Places are in the order (fire date, priority, id) already, which the sorter keeps.
        places.withUnsafeMutableBufferPointer { places in
            placeSorter.sort(places) { recipient.pending[Int($0)].priority < recipient.pending[Int($1)].priority }
        }
        for place in places.suffix(excess) {
            var event = Event(kind: .evicted)
            event.reason = isDropping ? .slots : .queueFull
            event.isFinal = true
            remove(at: Int(place), event, &recipient, events: &events)
        }
        removeEnded(&recipient)
        return true
    }
}
