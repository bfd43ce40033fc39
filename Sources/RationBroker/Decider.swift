import RationModel
import RationPlanner
import RationStore
import RationWire

/// The broker without sockets, clock and threads: requests are taken into a batch, the batch is decided, and what it
/// commits and what may be told after that comes out. The next may be decided before the commit: on the state after it.
/// One thread owns it.
struct Decider: ~Copyable {
    var core: Core
    let store: any Store
    /// What is in force.
    var policy: CompiledPolicy {
        didSet { checkCategories() }
    }
    var categories = CategoryDeclarations() {
        didSet { checkCategories() }
    }
    var zones: any ZoneSource {
        didSet { reader.zones = zones }
    }
    let seed: UInt64
    /// Notes what is being decided; nil where nobody keeps it.
    var poison: PoisonWatch?
    private var pace = CheckpointPace()
    private var reader: IntentReader
    let writer: AcknowledgementWriter
    var numbering: Numbering
    var batch = IntentBatch()
    var decision = Decision()
    var requests: [PublishRequest] = []
    private var repeated: [PublishRequest] = []
    var counters = BrokerCounters()
    /// The last batch that was decided, and the sequence number of its last event: committed or about to be.
    private(set) var lastBatch: UInt64
    private(set) var lastSequence: UInt64

    /// - Parameter seed: keys the core's tables of names; it has no influence on what is decided.
    init(policy: CompiledPolicy, zones: any ZoneSource, seed: UInt64, store: any Store) {
        core = Core(policy: policy, zones: zones, seed: seed, isJournaling: true)
        self.seed = seed
        self.policy = policy
        self.zones = zones
        reader = IntentReader(zones: zones)
        self.store = store
        (lastBatch, lastSequence) = (store.lastBatch, store.range.last)
        writer = AcknowledgementWriter(log: store.log)
        numbering = Numbering(store: store)
        checkCategories()
    }

    private mutating func checkCategories() {
        reader.categories = CategoryCheck(categories, rule: policy.policy.categories)
    }

    /// Whether a batch has nothing to wait for.
    var hasRequests: Bool { !requests.isEmpty || !repeated.isEmpty }

    /// Whether the batch holds a request that has to be alone in it.
    var isTryingAlone: Bool { poison?.isTryingAlone ?? false }

    /// Whether a request has to wait for the next batch, to be alone in it.
    func mustWait(_ body: UnsafeRawBufferPointer) -> Bool { hasRequests && poison?.isSuspect(body) ?? false }

    var intentCount: Int { batch.intents.count }

    var requestCount: Int { requests.count }

    /// Bytes that the batch's intents hold.
    var byteCount: Int { batch.bytes.count }

    /// When the core next wants a batch of itself.
    var nextWake: Instant? { core.nextWake }

    /// Takes a `publish` into the batch.
    /// - Parameter clock: the wall clock.
    /// - Returns: an answer that can be given at once; nil for one that comes with the batch.
    mutating func take(
        _ body: UnsafeRawBufferPointer, number: UInt64, of publisher: PublisherName, numberFrame: [UInt8],
        from address: ReplyAddress, clock: Instant
    ) -> Answer? {
        counters.requests += 1
        var request = PublishRequest(
            address: address, numberFrame: numberFrame, publisher: publisher, number: number,
            bodyHash: publisher.isEmpty ? 0 : ByteHash.hash(body, seed: 0), intents: 0..<0)
        // What was decided before is still answered.
        guard store.hasRoom || (!publisher.isEmpty && number <= store.lastNumber(of: publisher) ?? 0) else {
            counters.refusals += 1
            return Answer(
                RequestFault(.full, "the disk is almost full; nothing is taken until there is room"), to: address,
                number: numberFrame)
        }
        if !publisher.isEmpty {
            switch numbering.judge(number, of: publisher, bodyHash: request.bodyHash, clock: clock) {
            case .take: break
            case .later:
                repeated.append(request)
                return nil
            case .again(let answer):
                counters.repetitions += 1
                return stored(answer, for: request)
            case .refuse(let fault):
                counters.refusals += 1
                return Answer(fault, to: address, number: numberFrame)
            }
        }
        let first = batch.intents.count
        do throws(RequestFault) {
            if let fault = poison?.note(request, body) { throw fault }
            _ = try reader.read(body, isPadded: false, into: &batch)
        } catch {
            request.refusal = error
        }
        request.intents = first..<batch.intents.count
        requests.append(request)
        return nil
    }

    /// Decides what was taken and what has come due.
    /// - Parameters:
    ///   - clock: the wall clock.
    ///   - wakeLimit: recipients that are woken at most.
    mutating func decide(clock: Instant, wakeLimit: Int) -> Decided {
        core.batch = lastBatch + 1
        poison?.begin()
        core.decide(batch, clock: clock, wakeLimit: wakeLimit, into: &decision)
        decision.events.append(feedbackOf: batch)
        let problems = ToldProblem.all(of: batch, decision)
        let bodies = answerBodies(batch: lastBatch + 1, problems)
        var decided = decided(bodies)
        decided.telling.tally.categories = problems.compactMap { problem in
            problem.categoryMismatch.map { ($0, batch.bytes.text(batch.intents[problem.intent].app)) }
        }
        decided.telling.answers = answers(bodies)
        decided.telling.repeated = repeated
        requests.removeAll(keepingCapacity: true)
        repeated.removeAll(keepingCapacity: true)
        batch.removeAll()
        poison?.end()
        return decided
    }

    /// The commit of the decision, and its events; neither when nothing came of it.
    /// - Parameter bodies: the answers to the requests that it decided; nil for a batch without any, while those that were
    ///   taken wait for theirs.
    mutating func decided(_ bodies: [[UInt8]]?) -> Decided {
        guard bodies.map({ !$0.isEmpty }) ?? false || decision.touchedRecipients > 0 else {
            return Decided(telling: telling(batch: lastBatch))
        }
        var commit = nextCommit()
        // Also without requests: it names the version that decided.
        commit.intents = bodies.map { _ in IntentsRow.pack(requests, batch) } ?? IntentsRow.pack([], IntentBatch())
        if let bodies, !bodies.isEmpty {
            commit.contents = batch.bytes.bytes
            commit.answers = storedAnswers(bodies)
            numbering.decided(commit.batch)
        }
        return finished(commit)
    }

    /// The commit that follows the last one, with the events of what was decided.
    func nextCommit() -> Commit {
        Commit(
            batch: lastBatch + 1, now: decision.now, firstSequence: lastSequence + 1,
            eventCount: decision.events.count, events: [], answers: [])
    }

    /// Adds to a commit what was decided has changed, and a part of the checkpoint.
    mutating func finished(_ commit: consuming Commit) -> Decided {
        var commit = commit
        commit.outcomes = core.withChanges { [UInt8]($0) }
        let bytes = commit.intents.count + commit.contents.count + commit.outcomes.count
        addRecords(to: &commit, bytes: pace.recordBytes(besides: bytes + EventRow.byteBound(decision.events)))
        advance(commit)
        var telling = telling(batch: commit.batch)
        telling.tally = tally()
        return Decided(commit: commit, events: takeEvents(), telling: telling)
    }

    private mutating func takeEvents() -> EventBuffer {
        var events = EventBuffer()
        swap(&events, &decision.events)
        return events
    }

    private func telling(batch: UInt64) -> Telling {
        Telling(batch: batch, lastSequence: lastSequence, replanBacklog: replanBacklog)
    }

    /// Adds a part of the checkpoint to a commit.
    private mutating func addRecords(to commit: inout Commit, bytes: Int) {
        core.takeRecords(bytes: bytes) { key, record in
            commit.records.append(StoredRecord(key: Array(key), bytes: Array(record)))
        }
        commit.moves = core.contentMoves
        commit.emptyHours = core.takeEmptyHours()
        commit.firstNeededBatch = core.firstNeededBatch
        pace.record(batch: commit.batch, bytes: commit.outcomes.count, firstNeeded: commit.firstNeededBatch)
    }

    private mutating func advance(_ commit: borrowing Commit) {
        lastBatch = commit.batch
        lastSequence += UInt64(commit.eventCount)
    }

    /// Whether recipients have changed since their records were written.
    var hasUnwrittenRecords: Bool { core.changedRecipients > 0 }

    /// Records as a batch of their own, to be written while there is nothing else to do.
    mutating func records(clock: Instant) -> Decided {
        core.batch = lastBatch + 1
        var commit = Commit(
            batch: core.batch, now: max(core.now, clock), firstSequence: lastSequence + 1, eventCount: 0, events: [],
            answers: [])
        addRecords(to: &commit, bytes: CheckpointPace.ownBytes)
        advance(commit)
        return Decided(commit: commit, telling: telling(batch: commit.batch))
    }

    /// Removes idle recipients among the next ones, as a batch of its own.
    /// - Returns: the batch, if there were any; whether all recipients have been looked at.
    mutating func removeIdle(clock: Instant) -> (Decided?, isAtEnd: Bool) {
        var gone: [StoredRecord] = []
        let isAtEnd = core.removeIdle(atMost: Limits.idlePerRound, now: max(core.now, clock)) { key in
            gone.append(StoredRecord(key: Array(key), bytes: []))
        }
        guard !gone.isEmpty else { return (nil, isAtEnd) }
        core.batch = lastBatch + 1
        var commit = Commit(
            batch: core.batch, now: max(core.now, clock), firstSequence: lastSequence + 1, eventCount: 0, events: [],
            answers: [], records: gone)
        addRecords(to: &commit, bytes: 0)
        advance(commit)
        return (Decided(commit: commit, telling: telling(batch: commit.batch)), isAtEnd)
    }

    private func tally() -> BatchTally {
        var tally = BatchTally()
        (tally.now, tally.batches, tally.recipients) = (decision.now, 1, core.recipientCount)
        tally.intents = decision.outcomes.count
        for outcome in decision.outcomes { tally.outcomes[outcome] += 1 }
        for event in decision.events.events { tally.events[event.kind] += 1 }
        for event in decision.events.feedback { tally.events[event.feedback.kind] += 1 }
        return tally
    }

    /// The plan of a recipient as it is after the last batch that was decided; nil for an unknown one.
    func plan(app: String, device: String) -> RecipientPlan? {
        core.plan(app: app, device: device)
    }

    /// Explains a pending notification as it is after the last batch that was decided; nil for one that is not pending.
    mutating func explain(app: String, device: String, id: String) -> Explanation? {
        core.explain(app: app, device: device, id: id)
    }
}
