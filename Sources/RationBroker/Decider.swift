import RationModel
import RationPlanner
import RationStore
import RationWire

/// The broker without sockets and clock: requests are taken into a batch, the batch is decided and committed, and what
/// may now be told comes out. One thread owns it.
struct Decider: ~Copyable {
    /// What a batch may tell once it is committed.
    struct Outcome {
        var answers: [Answer]
        /// The events' row; empty when there are none.
        var events: [UInt8]
    }

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
    private var pace = CheckpointPace()
    private var reader: IntentReader
    private let writer: AcknowledgementWriter
    private var numbering: Numbering
    private var batch = IntentBatch()
    var decision = Decision()
    private var requests: [PublishRequest] = []
    private var repeated: [PublishRequest] = []
    var counters = BrokerCounters()

    /// - Parameter seed: keys the core's tables of names; it has no influence on what is decided.
    init(policy: CompiledPolicy, zones: any ZoneSource, seed: UInt64, store: any Store) {
        core = Core(policy: policy, zones: zones, seed: seed, isJournaling: true)
        self.seed = seed
        self.policy = policy
        self.zones = zones
        reader = IntentReader(zones: zones)
        self.store = store
        writer = AcknowledgementWriter(log: store.log)
        numbering = Numbering(store: store)
        checkCategories()
    }

    private mutating func checkCategories() {
        reader.categories = CategoryCheck(categories, rule: policy.policy.categories)
    }

    /// Whether a batch has nothing to wait for.
    var hasRequests: Bool { !requests.isEmpty || !repeated.isEmpty }

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
            _ = try reader.read(body, isPadded: false, into: &batch)
        } catch {
            request.refusal = error
        }
        request.intents = first..<batch.intents.count
        requests.append(request)
        return nil
    }

    private func stored(_ answer: StoredAnswer, for request: PublishRequest) -> Answer {
        Answer(
            address: request.address, name: answer.isRefusal ? Answer.errorName : Answer.acknowledgementName,
            number: request.numberFrame, bodies: [answer.body])
    }

    /// Decides and commits what was taken and what has come due.
    /// - Parameters:
    ///   - clock: the wall clock.
    ///   - wakeLimit: recipients that are woken at most.
    /// - Throws: what the store throws; then nothing of the batch may be told, and the process has to end.
    mutating func decide(clock: Instant, wakeLimit: Int) throws -> Outcome {
        core.batch = store.lastBatch + 1
        core.decide(batch, clock: clock, wakeLimit: wakeLimit, into: &decision)
        let problems = ToldProblem.all(of: batch, decision)
        let bodies = answerBodies(batch: store.lastBatch + 1, problems)
        let events = try commit(bodies)
        countCategories(problems)
        numbering.commit()
        return Outcome(answers: answers(bodies), events: events)
    }

    /// Commits the decision, unless nothing came of it: no request and no recipient.
    /// - Parameter bodies: the answers to the batch's requests.
    /// - Returns: the events' row; empty when there are none.
    mutating func commit(_ bodies: [[UInt8]]) throws -> [UInt8] {
        guard !bodies.isEmpty || decision.touchedRecipients > 0 else { return [] }
        let number = store.lastBatch + 1
        let firstSequence = store.range.last + 1
        let events =
            decision.events.events.isEmpty
            ? [] : EventRow.pack(decision.events, firstSequence: firstSequence, batch: number, now: decision.now)
        let answers = zip(requests, bodies).filter { !$0.0.publisher.isEmpty }.map { request, body in
            StoredAnswer(
                publisher: request.publisher, number: request.number, bodyHash: request.bodyHash,
                isRefusal: request.refusal != nil, body: body)
        }
        var commit = Commit(
            batch: number, now: decision.now, firstSequence: firstSequence,
            eventCount: decision.events.events.count, events: events, answers: answers)
        if !requests.isEmpty { commit.intents = IntentsRow.pack(batch.bytes.bytes, requests) }
        commit.outcomes = core.withChanges { [UInt8]($0) }
        let bytes = commit.intents.count + commit.events.count + commit.outcomes.count
        try write(&commit, recordBytes: pace.recordBytes(besides: bytes))
        count()
        return events
    }

    /// Commits a batch, and with it a part of the checkpoint.
    private mutating func write(_ commit: inout Commit, recordBytes: Int) throws {
        core.takeRecords(bytes: recordBytes) { key, record in
            commit.records.append(StoredRecord(key: Array(key), bytes: Array(record)))
        }
        commit.firstNeededBatch = core.firstNeededBatch
        pace.record(
            batch: commit.batch, bytes: commit.intents.count + commit.outcomes.count,
            firstNeeded: commit.firstNeededBatch)
        try store.commit(commit)
    }

    /// Whether recipients have changed since their records were written.
    var hasUnwrittenRecords: Bool { core.changedRecipients > 0 }

    /// Writes records as a batch of its own, while there is nothing else to do.
    /// - Throws: what the store throws; then the process has to end.
    mutating func writeRecords(clock: Instant) throws {
        core.batch = store.lastBatch + 1
        var commit = Commit(
            batch: core.batch, now: max(core.now, clock), firstSequence: store.range.last + 1, eventCount: 0,
            events: [],
            answers: [])
        try write(&commit, recordBytes: CheckpointPace.ownBytes)
    }

    /// The answers' bodies, one for each request.
    /// - Parameter problems: in the order of the intents.
    private func answerBodies(batch number: UInt64, _ problems: [ToldProblem]) -> [[UInt8]] {
        var problem = 0
        return requests.map { request in
            if let refusal = request.refusal { return refusal.body }
            let first = problem
            while problem < problems.count, problems[problem].intent < request.intents.upperBound {
                problem += 1
            }
            let intents = batch.intents
            return batch.bytes.bytes.withUnsafeBytes { bytes in
                let problems = problems[first..<problem].lazy.map { problem in
                    let id = intents[problem.intent].id
                    return AcknowledgementWriter.Problem(
                        index: problem.intent - request.intents.lowerBound,
                        id: UnsafeRawBufferPointer(rebasing: bytes[Int(id.offset)..<Int(id.offset + id.count)]),
                        rejection: problem.rejection, isWarning: problem.warning != nil)
                }
                return writer.body(
                    batch: number, now: decision.now, outcomes: decision.outcomes[request.intents], problems: problems)
            }
        }
    }

    /// The answers to the batch's requests, and to those that came twice in it; then the batch is empty.
    private mutating func answers(_ bodies: [[UInt8]]) -> [Answer] {
        var answers = zip(requests, bodies).map { request, body in
            Answer(
                address: request.address,
                name: request.refusal == nil ? Answer.acknowledgementName : Answer.errorName,
                number: request.numberFrame, bodies: [body])
        }
        for request in repeated {
            let last = store.lastNumber(of: request.publisher) ?? 0
            switch numbering.repetition(request.number, of: request.publisher, bodyHash: request.bodyHash, last: last) {
            case .again(let answer):
                counters.repetitions += 1
                answers.append(stored(answer, for: request))
            case .refuse(let fault):
                counters.refusals += 1
                answers.append(Answer(fault, to: request.address, number: request.numberFrame))
            case .take, .later: preconditionFailure("a repetition of \(request.number) is neither kept nor refused")
            }
        }
        requests.removeAll(keepingCapacity: true)
        repeated.removeAll(keepingCapacity: true)
        batch.removeAll()
        return answers
    }

    private mutating func count() {
        counters.batches += 1
        counters.intents += decision.outcomes.count
        for outcome in decision.outcomes { counters.outcomes[outcome] += 1 }
        for event in decision.events.events { counters.events[event.kind] += 1 }
        counters.recipients = core.recipientCount
        counters.now = decision.now
    }

    private mutating func countCategories(_ problems: [ToldProblem]) {
        for problem in problems {
            guard let kind = problem.categoryMismatch else { continue }
            counters.categories.add(kind, app: batch.bytes.text(batch.intents[problem.intent].app))
        }
    }

    /// The plan of a recipient as it is after the last commit; nil for an unknown one.
    func plan(app: String, device: String) -> RecipientPlan? {
        core.plan(app: app, device: device)
    }

    /// Explains a pending notification as it is after the last commit; nil for one that is not pending.
    mutating func explain(app: String, device: String, id: String) -> Explanation? {
        core.explain(app: app, device: device, id: id)
    }
}
