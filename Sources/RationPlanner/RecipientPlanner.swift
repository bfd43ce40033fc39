import RationModel

/// Plans one recipient at a time (semantics.md sections 4 and 5): `begin`, the batch's intents, then `finish`. It holds
/// nothing of a recipient between two of them but memory to work in.
struct RecipientPlanner: ~Copyable {
    let policy: CompiledPolicy
    /// The batch's instant.
    var now = Instant.distantPast
    /// What was pending before the batch, in its order.
    var before = OwnedBuffer<PendingNotification>()
    /// The recipient's place in the event buffer; nil until its first event.
    var eventRecipient: UInt32?
    /// Where the recipient's events start.
    var firstEvent = 0
    /// Whether an intent changed something.
    var isChanged = false
    var keys: ContiguousArray<OrderKey> = []
    var places: ContiguousArray<Int> = []
    private var kept = OwnedBuffer<UInt8>()

    init(policy: CompiledPolicy) {
        self.policy = policy
    }

    /// Starts the batch for a recipient.
    /// - Parameter firstEvent: how many events the batch has so far.
    mutating func begin(_ recipient: inout Recipient, firstEvent: Int) {
        before.assign(recipient.pending)
        for index in recipient.pending.indices {
            recipient.pending[index].before = UInt16(truncatingIfNeeded: index)
        }
        eventRecipient = nil
        self.firstEvent = firstEvent
        isChanged = false
    }

    /// Fires, plans and tells the difference, if an intent changed something or something woke.
    mutating func finish(_ recipient: inout Recipient, events: inout EventBuffer) {
        guard isChanged || recipient.wake <= now else { return }
        fireAll(&recipient, events: &events)
        plan(&recipient, events: &events)
        tellDifference(&recipient, events: &events)
        recipient.wake = nextWake(recipient)
        sortEvents(&events)
        for index in recipient.pending.indices {
            let notification = recipient.pending[index]
            if notification.has(.replaced), notification.before != PendingNotification.absentBefore {
                recipient.moveLastRecord(of: index, to: before[Int(notification.before)].record)
            }
            recipient.pending[index].flags.subtract(.ofBatch)
        }
        recipient.compactIfWasteful(through: &kept)
    }

    /// When something of the recipient next needs a batch (semantics.md section 5.3).
    private func nextWake(_ recipient: borrowing Recipient) -> Instant {
        var wake = Instant.distantFuture
        for notification in recipient.pending.elements {
            if notification.isHeld || notification.fireDate > now {
                wake = min(wake, notification.fireDate)
                continue
            }
            // It waits for a slot with its time come: only its end wakes it.
            let isOneShot = !notification.has(.repeating)
            let expires = recipient.record(notification).expires
            if expires > now { wake = min(wake, expires) }
            if !(isOneShot && notification.has(.deliverOverdue)) {
                let time = min(notification.passedDate, notification.fireDate)
                wake = min(wake, time.advanced(by: policy.policy.graceMilliseconds + 1))
            }
        }
        return wake
    }

    /// Whether two notifications stand in the order (fire date, priority, id).
    @inline(__always)
    func precedes(
        _ left: PendingNotification, _ right: PendingNotification, in recipient: borrowing Recipient
    ) -> Bool {
        if left.fireDate != right.fireDate { return left.fireDate < right.fireDate }
        if left.priority != right.priority { return left.priority < right.priority }
        return Name.compare(recipient.id(left), recipient.id(right)) < 0
    }
}
