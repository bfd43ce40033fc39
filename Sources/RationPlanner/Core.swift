public import RationModel

/// The pure core: all recipients, and the one function that decides a batch (semantics.md). It reads no clock, no file
/// and no socket; the same batches at the same instants give the same events.
public struct Core: Sendable {
    var table: RecipientTable
    var wakes = WakeIndex()
    var planner: RecipientPlanner
    private let zones: any ZoneChecking
    /// The last batch's instant.
    private(set) public var now = Instant.distantPast
    private var touched: ContiguousArray<Touched> = []
    private var nextIntent: ContiguousArray<Int32> = []
    private var key: [UInt8] = []

    /// A recipient of the batch, with its intents as a list through `nextIntent`.
    struct Touched: Sendable {
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
    public init(policy: CompiledPolicy, zones: any ZoneChecking, seed: UInt64) {
        planner = RecipientPlanner(policy: policy)
        table = RecipientTable(seed: seed)
        self.zones = zones
    }

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
        now = max(now, clock)
        planner.now = now
        decision.begin(intents: batch.intents.count, now: now)
        touched.removeAll(keepingCapacity: true)
        nextIntent.removeAll(keepingCapacity: true)
        nextIntent.append(contentsOf: repeatElement(-1, count: batch.intents.count))
        for index in batch.intents.indices { assign(index, of: batch, &decision) }
        wake(atMost: wakeLimit)
        sortTouched()
        for place in touched.indices { decideOne(touched[place], batch, &decision) }
        decision.problems.sort { $0.intent < $1.intent }
        decision.touchedRecipients = touched.count
    }

    /// Finds an intent's recipient, or settles an intent that needs none.
    private mutating func assign(_ index: Int, of batch: IntentBatch, _ decision: inout Decision) {
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
        key.removeAll(keepingCapacity: true)
        batch.bytes.with(intent.app) { key.append(contentsOf: $0) }
        key.append(0)
        batch.bytes.with(intent.device) { key.append(contentsOf: $0) }
        let hash = key.withUnsafeBytes { table.hash($0) }
        if let row = key.withUnsafeBytes({ table.row($0, hash: hash) }) {
            touch(row, index)
            return
        }
        switch intent.operation {
        case .schedule:
            do {
                _ = try planner.requestedDate(of: intent)
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
        let row = key.withUnsafeBytes { table.insert($0, appCount: Int(intent.app.count), hash: hash) }
        touch(row, index)
    }

    private func unknownZone(_ intent: Intent, _ batch: IntentBatch) -> Rejection? {
        guard intent.operation == .device, var zone = batch.settings[Int(intent.detail)].timeZone,
            !zone.withUTF8({ zones.contains(UnsafeRawBufferPointer($0)) })
        else { return nil }
        return Rejection(
            .timeZone, field: "timeZone", "expected a name of the tz database such as Europe/Madrid, found '\(zone)'")
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
    private mutating func enter(_ row: Int) -> Int {
        if table.recipients[row].touched >= 0 { return Int(table.recipients[row].touched) }
        let place = touched.count
        touched.append(Touched(row: UInt32(truncatingIfNeeded: row)))
        table.recipients[row].touched = Int32(truncatingIfNeeded: place)
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

    /// Sorts the touched by (app, device).
    private mutating func sortTouched() {
        guard touched.count > 1 else { return }
        let shared = sharedPrefix()
        for place in touched.indices {
            touched[place].sortKey = table.names.with(table.recipients[Int(touched[place].row)].key) {
                Self.bigEndian($0, from: shared)
            }
        }
        let table = table
        touched.sort { left, right in
            if left.sortKey != right.sortKey { return left.sortKey < right.sortKey }
            return table.names.with(table.recipients[Int(left.row)].key) { left in
                table.names.with(table.recipients[Int(right.row)].key) { Name.compare(left, $0) < 0 }
            }
        }
    }

    /// How many first bytes all keys of the batch share.
    private func sharedPrefix() -> Int {
        table.names.with(table.recipients[Int(touched[0].row)].key) { first in
            var shared = first.count
            for other in touched.dropFirst() {
                shared = table.names.with(table.recipients[Int(other.row)].key) { key in
                    var count = 0
                    while count < shared, count < key.count, key[count] == first[count] { count += 1 }
                    return count
                }
            }
            return shared
        }
    }

    /// Eight bytes from a place on as a number that sorts as they do; 0 where the key has ended, as no key has NULs there.
    private static func bigEndian(_ key: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
        if start + 8 <= key.count { return UInt64(bigEndian: key.loadUnaligned(fromByteOffset: start, as: UInt64.self)) }
        var value: UInt64 = 0
        for index in start..<start + 8 { value = value << 8 | (index < key.count ? UInt64(key[index]) : 0) }
        return value
    }

    private mutating func decideOne(_ entry: Touched, _ batch: IntentBatch, _ decision: inout Decision) {
        let row = Int(entry.row)
        table.recipients[row].touched = -1
        let names = table.names
        planner.begin(&table.recipients[row], events: decision.events)
        var index = Int(entry.firstIntent)
        while index >= 0 {
            planner.apply(index, of: batch, to: &table.recipients[row], names: names, &decision)
            index = Int(nextIntent[index])
        }
        planner.finish(&table.recipients[row], names: names, events: &decision.events)
        wakes.set(entry.row, to: table.recipients[row].wake)
        index = Int(entry.firstIntent)
        while index >= 0 {
            if decision.outcomes[index] == .held {
                decision.outcomes[index] = outcome(of: batch.intents[index], batch, row: row, decision.events)
            }
            index = Int(nextIntent[index])
        }
    }

    /// What became of a scheduled notification by the end of the batch.
    private func outcome(of intent: Intent, _ batch: IntentBatch, row: Int, _ events: EventBuffer) -> Outcome {
        batch.bytes.with(intent.id) { id in
            let hash = UInt16(truncatingIfNeeded: ByteHash.hash(id, seed: 0))
            if let place = table.recipients[row].place(ofID: id, hash: hash) {
                return table.recipients[row].pending[place].isHeld ? .held : .queued
            }
            for event in events.events[planner.firstEvent...].reversed()
            where events.bytes.with(event.id, { $0.elementsEqual(id) }) {
                switch event.kind {
                case .evicted: return .evicted
                case .expired: return .expired
                case .due: return .held
                case .cancelled, .queued, .accepted: continue
                }
            }
            return .cancelled
        }
    }
}
