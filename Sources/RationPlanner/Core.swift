public import RationModel

/// The pure core: all recipients, and the one function that decides a batch (semantics.md). It reads no clock, no file
/// and no socket; the same batches at the same instants give the same events.
public struct Core: ~Copyable {
    var table: RecipientTable
    var wakes = WakeIndex()
    var planner: RecipientPlanner
    /// The last batch's instant.
    internal(set) public var now = Instant.distantPast
    /// The number of the batch at hand, which its owner gives it: what changes is told as changed by it.
    public var batch: UInt64 = 0 {
        didSet { if planner.journal.isOn { planner.contents.batch = batch } }
    }
    var changed = ChangedRecipients()
    /// How far the round of looking for idle recipients is.
    var idle = IdleRound()
    /// While the state is made again: by row, the last batch that the recipient's record has in it.
    var recorded: ContiguousArray<UInt64> = []
    /// Writes records.
    var recorder = Journal(isOn: true)
    var touched: ContiguousArray<Touched> = []
    var sorted: ContiguousArray<Touched> = []
    var nextIntent: ContiguousArray<Int32> = []
    /// How many recipients are still planned under an earlier revision.
    internal(set) public var replanBacklog = 0
    /// Rows below it are planned under the revision in force, or were touched since.
    var replanRow = 0
    /// By intent: its recipient's key and that key's hash.
    var keys = OwnedBuffer<UInt8>()
    var keyRanges: ContiguousArray<ByteRange> = []
    private var hashes: ContiguousArray<UInt64> = []
    /// What the part of the checkpoint at hand takes along.
    var movable: [MovableContent] = []

    /// How many recipients ahead memory is asked for: the latency of memory over the time that one takes.
    private static let prefetchDistance = 6
    /// Up to so many recipients are sorted by moving one by one.
    static let insertedAtMost = 12

    /// A recipient of the batch, with its intents as a list through `nextIntent`.
    struct Touched {
        var row: UInt32
        var firstIntent: Int32 = -1
        var lastIntent: Int32 = -1
        /// The key's first bytes behind what all keys of the batch share.
        var sortKey: UInt64 = 0
    }

    /// - Parameters:
    ///   - policy: the policy in force.
    ///   - zones: which time zones are known.
    ///   - seed: keys the tables of names; it has no influence on what is decided.
    ///   - revision: the number of what is in force.
    ///   - isJournaling: whether each batch tells what it has changed (``withChanges(_:)``), and contents are named by
    ///     where a store keeps them instead of held here.
    public init(
        policy: CompiledPolicy, zones: any ZoneSource, seed: UInt64, revision: UInt32 = 0, isJournaling: Bool = false
    ) {
        planner = RecipientPlanner(policy: policy, zones: zones, revision: revision, isJournaling: isJournaling)
        table = RecipientTable(seed: seed)
    }

    /// The policy in force.
    public var policy: Policy { planner.policy.policy }

    /// The time zones in force.
    public var zones: any ZoneSource { planner.zones.source }

    /// When something next fires, expires or is looked at again without an intent; nil when nothing waits.
    public var nextWake: Instant? { wakes.earliest }

    /// Decides a batch: applies its intents, fires what has come, plans each touched recipient once, tells the
    /// difference.
    /// - Parameters:
    ///   - batch: may be empty.
    ///   - clock: the batch's instant is the later of this and the last batch's.
    ///   - wakeLimit: how many recipients that have no intent in the batch may be woken in it, so that many that are due
    ///     at once are fired in slices.
    ///   - decision: overwritten; its memory is used again.
    /// - Complexity: O(touched · pending of each), and the sort of the touched by (app, device).
    public mutating func decide(
        _ batch: IntentBatch, clock: Instant, wakeLimit: Int = .max, into decision: inout Decision
    ) {
        begin(batch, clock: clock, &decision)
        batch.bytes.bytes.withUnsafeBytes { source in
            findKeys(of: batch, source)
            for index in batch.intents.indices { assign(index, of: batch, from: source, &decision) }
            wake(atMost: wakeLimit)
            decideTouched(batch, source, &decision)
        }
        decision.problems.sort { $0.intent < $1.intent }
        decision.warnings.sort { $0.intent < $1.intent }
    }

    mutating func begin(_ batch: IntentBatch, clock: Instant, _ decision: inout Decision) {
        now = max(now, clock)
        planner.now = now
        planner.journal.beginBatch()
        decision.begin(intents: batch.intents.count, now: now)
        touched.removeAll(keepingCapacity: true)
        nextIntent.removeAll(keepingCapacity: true)
        nextIntent.append(contentsOf: repeatElement(-1, count: batch.intents.count))
    }

    mutating func decideTouched(
        _ batch: IntentBatch, _ source: UnsafeRawBufferPointer, _ decision: inout Decision
    ) {
        sortTouched(touched.indices, sharing: 0)
        for place in touched.indices {
            if place + Self.prefetchDistance < touched.count { prefetch(touched[place + Self.prefetchDistance]) }
            decideOne(touched[place], batch, source, &decision)
        }
        decision.touchedRecipients = touched.count
    }

    /// Makes the keys of the batch's recipients. A million recipients are not in the processor's caches: their memory is
    /// asked for in three passes, each over what the one before has brought.
    mutating func findKeys(of batch: IntentBatch, _ source: UnsafeRawBufferPointer) {
        keys.removeAll()
        keyRanges.removeAll(keepingCapacity: true)
        hashes.removeAll(keepingCapacity: true)
        for intent in batch.intents {
            var range = keys.append(source.view(intent.app))
            keys.append(0)
            range.count += 1 + keys.append(source.view(intent.device)).count
            let hash = table.hash(keys.view(range))
            table.prefetchPlace(hash: hash)
            keyRanges.append(range)
            hashes.append(hash)
        }
        for hash in hashes { _ = table.prefetchRecipient(hash: hash) }
        for hash in hashes {
            if let row = table.prefetchRecipient(hash: hash) { table.recipient(row).pointee.bytes.prefetch(lines: 1) }
        }
    }

    private func prefetch(_ entry: Touched) {
        let recipient = table.recipient(Int(entry.row))
        recipient.pointee.pending.prefetch(lines: 4)
        recipient.pointee.bytes.prefetch(lines: 6)
    }

    /// Finds an intent's recipient, or settles an intent that needs none.
    mutating func assign(
        _ index: Int, of batch: IntentBatch, from source: UnsafeRawBufferPointer, _ decision: inout Decision
    ) {
        let intent = batch.intents[index]
        guard intent.operation != .rejected else {
            decision.reject(index, batch.rejections[Int(intent.detail)])
            return
        }
        if let rejection = unknownZone(intent, batch) {
            decision.reject(index, rejection)
            return
        }
        guard intent.operation != .feedback else { return }
        let key = keys.view(keyRanges[index])
        let hash = hashes[index]
        if let row = table.row(key, hash: hash) {
            touch(row, index)
            return
        }
        switch intent.operation {
        case .schedule:
            do {
                _ = try planner.requestedDate(of: intent, from: source, zone: PlannerZones.policyPlace)
            } catch {
                decision.reject(index, error)
                return
            }
        case .device: break
        case .cancelID, .cancelPrefix, .cancelType:
            decision.outcomes[index] = .notFound
            return
        case .remove, .feedback, .rejected: return
        }
        let row = insert(key, appCount: Int(intent.app.count), hash: hash, revision: planner.revision)
        touch(row, index)
    }

    private mutating func unknownZone(_ intent: Intent, _ batch: IntentBatch) -> Rejection? {
        guard intent.operation == .device, let zone = batch.settings[Int(intent.detail)].timeZone,
            planner.zones.place(of: zone) == nil
        else { return nil }
        return Rejection.unknownZone(zone, field: "timeZone")
    }

    private mutating func touch(_ row: Int, _ intent: Int) {
        let place = enter(row)
        let index = Int32(truncatingIfNeeded: intent)
        if touched[place].lastIntent < 0 {
            touched[place].firstIntent = index
        } else {
            nextIntent[Int(touched[place].lastIntent)] = index
        }
        touched[place].lastIntent = index
    }

    /// The place of a recipient among the touched.
    mutating func enter(_ row: Int) -> Int {
        let recipient = table.recipient(row)
        recipient.pointee.isIdle = false
        if recipient.pointee.touched >= 0 { return Int(recipient.pointee.touched) }
        let place = touched.count
        touched.append(Touched(row: UInt32(truncatingIfNeeded: row)))
        recipient.pointee.touched = Int32(truncatingIfNeeded: place)
        return place
    }

    /// Adds recipients whose time has come. They leave the index here and come back with their next wake.
    private mutating func wake(atMost limit: Int) {
        var woken = 0
        while woken < limit, let row = wakes.first, let earliest = wakes.earliest, earliest <= now {
            wakes.set(row, to: .distantFuture)
            _ = enter(Int(row))
            woken += 1
        }
    }
}
