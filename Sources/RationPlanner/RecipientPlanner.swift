import RationModel

/// Plans one recipient at a time (semantics.md sections 4 and 5): `begin`, the batch's intents, then `finish`. It holds
/// nothing of a recipient between two of them but memory to work in.
struct RecipientPlanner: ~Copyable {
    private(set) var policy: CompiledPolicy
    var zones: PlannerZones
    /// The number of the policy and the tz database in force.
    private(set) var revision: UInt32 = 0
    /// The policies of recipients that were last planned under an earlier revision, by its number.
    private var earlierPolicies: [UInt32: CompiledPolicy] = [:]
    /// The batch's instant.
    var now = Instant.distantPast
    /// What was pending before the batch, in its order.
    var before = OwnedBuffer<PendingNotification>()
    /// The recipient's place in the event buffer; nil until its first event.
    var eventRecipient: UInt32?
    /// Where the recipient's events start.
    var firstEvent = 0
    /// Whether an intent or a revision changed something.
    var isChanged = false
    /// Whether the recipient is planned under a revision for the first time in this batch.
    var isRevised = false
    /// Whether settings of the device have changed in this batch.
    var isReconfigured = false
    /// Dates that have come or gone since the last plan.
    var changedDates = FixedDates()
    /// By place in `before`: whether it goes on as it was.
    var goOn: ContiguousArray<Bool> = []
    /// The fixed dates, once what has fired is among them.
    var placer = RulePlacer()
    var hasPlacedHistory = false
    /// Whether the fixed dates hold those of a plan that was thrown away.
    var isPlaced = false
    var keys: ContiguousArray<OrderKey> = []
    var places: ContiguousArray<Int32> = []
    var order = PlacingOrder()
    var taken: ContiguousArray<Int> = []
    var pendingSorter = MergeSorter<PendingNotification>()
    var placeSorter = MergeSorter<Int32>()
    var eventSorter = MergeSorter<Event>()
    private var kept = OwnedBuffer<UInt8>()

    init(policy: CompiledPolicy, zones: any ZoneSource) {
        self.policy = policy
        self.zones = PlannerZones(zones, policyZone: policy.policy.timeZone)
    }

    /// Takes up another policy or tz database.
    mutating func adopt(_ policy: CompiledPolicy, zones source: any ZoneSource) {
        earlierPolicies[revision] = self.policy
        revision += 1
        self.policy = policy
        zones.replace(source, policyZone: policy.policy.timeZone)
    }

    /// The policy under which a recipient was last planned.
    func policy(of recipient: borrowing Recipient) -> CompiledPolicy {
        recipient.revision == revision ? policy : earlierPolicies[recipient.revision] ?? policy
    }

    /// Forgets the policies of earlier revisions, when no recipient is planned under one any more.
    mutating func forgetEarlierPolicies() {
        earlierPolicies.removeAll()
    }

    /// Starts the batch for a recipient.
    /// - Parameter firstEvent: how many events the batch has so far.
    mutating func begin(_ recipient: inout Recipient, events: inout EventBuffer) {
        before.assign(recipient.pending)
        for index in recipient.pending.indices {
            recipient.pending[index].before = UInt16(truncatingIfNeeded: index)
        }
        beginSingle(firstEvent: events.events.count)
        if recipient.revision != revision { revise(&recipient, events: &events) }
    }

    /// Starts the batch for a recipient of which nothing is copied.
    mutating func beginSingle(firstEvent: Int) {
        eventRecipient = nil
        self.firstEvent = firstEvent
        isChanged = false
        isRevised = false
        isReconfigured = false
        hasPlacedHistory = false
    }

    /// Finds the recipient's place in the policy in force: the types of what is pending and of what has fired, its rules
    /// and the dates of what floats.
    private mutating func revise(_ recipient: inout Recipient, events: inout EventBuffer) {
        let earlier = policy(of: recipient)
        recipient.revision = revision
        isChanged = true
        isRevised = true
        for index in recipient.pending.indices {
            let type = reviseType(ofPending: index, from: earlier.types, &recipient)
            recipient.pending[index].typeIndex = type
            recipient.pending[index].priority = policy.types.priority(type)
            recipient.pending[index].flags.remove(.keepsTime)
            if policy.types.keepsTime(type) { recipient.pending[index].flags.insert(.keepsTime) }
            // What is told of it as it was is told in the words of the policy in force.
            before[index] = recipient.pending[index]
        }
        for index in recipient.history.indices { recipient.reviseHistory(index, from: earlier.types, to: policy.types) }
        if let settings = recipient.settings {
            recipient.settings = StoredSettings(settings.value, rules: policy.rules(for: settings.value))
        }
        matchFloating(&recipient, events: &events)
    }

    /// Finds the type of a pending one in the policy in force.
    private func reviseType(
        ofPending index: Int, from earlier: PolicyTypes, _ recipient: inout Recipient
    ) -> TypeIndex {
        let notification = recipient.pending[index]
        let record = recipient.record(notification)
        guard notification.has(.ownTypeIsNamed) else {
            return policy.types.classify(
                type: recipient.bytes.view(record.type), id: recipient.bytes.view(record.id))
        }
        let type = earlier.withName(notification.typeIndex, own: .none) { policy.types.index(ofType: $0) }
        if type == PolicyTypes.unnamed {
            let start = earlier.withName(notification.typeIndex, own: .none) { name in
                Record.copyWithType(name, of: notification, in: &recipient.bytes)
            }
            recipient.unusedBytes += UInt32(record.byteCount)
            recipient.pending[index].record = start
            recipient.pending[index].flags.remove(.ownTypeIsNamed)
        }
        return type
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
                recipient.moveLastRecord(of: index, toPlaceOf: before[Int(notification.before)])
            }
            recipient.pending[index].flags.subtract(.ofBatch)
        }
        recipient.compactIfWasteful(through: &kept)
    }

    /// Keeps the recipient's bytes small after a batch that changed little.
    mutating func compact(_ recipient: inout Recipient) {
        recipient.compactIfWasteful(through: &kept)
    }

    /// When something of the recipient next needs a batch (semantics.md section 5.3).
    func nextWake(_ recipient: borrowing Recipient) -> Instant {
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
                let time = min(recipient.passedDate(notification), notification.fireDate)
                wake = min(wake, time.advanced(by: policy.policy.graceMilliseconds + 1))
            }
        }
        return wake
    }

    /// As far ahead as anything may be planned.
    var horizon: Instant { now.advanced(by: Limits.horizonMilliseconds) }

    /// The rules for a recipient.
    @inline(__always)
    func rules(of recipient: borrowing Recipient) -> CompiledRules {
        recipient.settings?.rules ?? policy.rules
    }

    /// What a rule may know of a pending notification; valid until the recipient's bytes change.
    @inline(__always)
    func ruled(_ notification: PendingNotification, _ recipient: borrowing Recipient) -> RuledNotification {
        recipient.ruled(notification, recipient.record(notification))
    }

    /// Whether two notifications stand in the order (fire date, priority, id).
    @inline(__always)
    static func precedes(
        _ left: PendingNotification, _ right: PendingNotification, in recipient: borrowing Recipient
    ) -> Bool {
        if left.fireDate != right.fireDate { return left.fireDate < right.fireDate }
        if left.priority != right.priority { return left.priority < right.priority }
        return Name.compare(recipient.id(left), recipient.id(right)) < 0
    }
}

extension Recipient {
    /// Finds the type of what has fired in another policy.
    fileprivate mutating func reviseHistory(_ index: Int, from earlier: PolicyTypes, to types: PolicyTypes) {
        let entry = history[index]
        let type = earlier.withName(entry.typeIndex, own: bytes.view(entry.type)) { types.index(ofType: $0) }
        if type == PolicyTypes.unnamed, entry.typeIndex != PolicyTypes.unnamed {
            history[index].type = earlier.withName(entry.typeIndex, own: bytes.view(entry.type)) { name in
                bytes.append(name)
            }
        }
        history[index].typeIndex = type
    }
}
