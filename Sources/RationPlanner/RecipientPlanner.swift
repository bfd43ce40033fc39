import RationModel

/// Plans one recipient at a time (semantics.md sections 4 and 5): `begin`, the batch's intents, then `finish`. It holds
/// nothing of a recipient between two of them but memory to work in.
struct RecipientPlanner: ~Copyable {
    private(set) var policy: CompiledPolicy
    var zones: PlannerZones
    /// The number of the policy and the tz database in force.
    var revision: UInt32 = 0
    /// The policies of recipients that were last planned under an earlier revision, by its number.
    var earlierPolicies: [UInt32: CompiledPolicy] = [:]
    /// The rules of devices by the parts of their settings that change them; only ever looked up.
    private var deviceRules: [[DeviceSettings?]: CompiledRules] = [:]
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
    var kept = OwnedBuffer<UInt8>()
    var contents = ContentShelf()
    /// What the batch has changed.
    var journal: Journal

    init(policy: CompiledPolicy, zones: any ZoneSource, revision: UInt32 = 0, isJournaling: Bool = false) {
        journal = Journal(isOn: isJournaling)
        self.revision = revision
        self.policy = policy
        self.zones = PlannerZones(zones, policyZone: policy.policy.timeZone)
    }

    /// Takes up another policy or tz database.
    /// - Parameter number: the revision's, above that of the one in force.
    mutating func adopt(_ policy: CompiledPolicy, zones source: any ZoneSource, number: UInt32) {
        precondition(number > revision, "revision \(number) after \(revision)")
        earlierPolicies[revision] = self.policy
        deviceRules.removeAll()
        revision = number
        self.policy = policy
        zones.replace(source, policyZone: policy.policy.timeZone, revision: revision)
    }

    /// The policy under which a recipient was last planned.
    func policy(of recipient: borrowing Recipient) -> CompiledPolicy {
        recipient.revision == revision ? policy : earlierPolicies[recipient.revision] ?? policy
    }

    /// Forgets the policies of earlier revisions, when no recipient is planned under one any more.
    mutating func forgetEarlierPolicies() {
        earlierPolicies.removeAll()
    }

    /// Starts the batch for a recipient, and takes it over to the revision in force.
    /// - Parameter events: has the batch's events so far.
    mutating func begin(_ recipient: inout Recipient, events: inout EventBuffer) {
        before.assign(recipient.pending)
        for index in recipient.pending.indices {
            recipient.pending[index].before = UInt16(truncatingIfNeeded: index)
        }
        beginSingle(firstEvent: events.events.count)
        journal.begin(recipient)
        if recipient.revision != revision { revise(&recipient, events: &events) }
    }

    /// Starts the batch for a recipient of which nothing is copied.
    /// - Parameter firstEvent: how many events the batch has so far.
    mutating func beginSingle(firstEvent: Int) {
        eventRecipient = nil
        self.firstEvent = firstEvent
        isChanged = false
        isRevised = false
        isReconfigured = false
        hasPlacedHistory = false
    }

    /// Fires, plans and tells the difference, if an intent changed something or something woke.
    mutating func finish(_ recipient: inout Recipient, events: inout EventBuffer) {
        guard isChanged || recipient.wake <= now else { return }
        fireAll(&recipient, events: &events)
        plan(&recipient, events: &events)
        tellDifference(&recipient, events: &events)
        recipient.wake = nextWake(recipient)
        journalPlanned(recipient)
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

    /// As far as rules are asked: past the horizon, too, since a removal tells the date that they would have allowed.
    static let placingLimit = Instant.writable.upperBound

    /// As far ahead as anything may be planned.
    var horizon: Instant { now.advanced(by: Limits.horizonMilliseconds) }

    /// The rules for a device that has told settings; nil if they are the policy's.
    mutating func rules(for settings: DeviceSettings) -> CompiledRules? {
        let parts = policy.parts(of: settings)
        guard parts.contains(where: { $0 != nil }) else { return nil }
        if let known = deviceRules[parts] { return known }
        if deviceRules.count >= Limits.sharedRules { deviceRules.removeAll() }
        let rules = policy.rules(for: parts)
        deviceRules[parts] = rules
        return rules
    }

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
