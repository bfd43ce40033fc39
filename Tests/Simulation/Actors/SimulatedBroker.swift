import RationModel
import RationPlanner
import RationStore
import RationWire

@testable import RationBroker
@testable import RationStore

/// Events cannot be read: their reader is told, and the broker goes on.
struct UnreadableEvents: Error {
    var message: String
}

/// A broker's process: what its threads do, one step at a time and in any order that threads may take.
final class SimulatedBroker {
    static let folder = "/data"

    private let fault: PlantedFault?
    private let wakeLimit: Int
    private let clock: SimulatedClock
    let store: any Store
    private var decider: Decider
    private var clockGuard = ClockGuard()
    private var untold = Untold()
    /// Batches on their way to the store, oldest first.
    private var commits: [Decided] = []
    /// The rows of events that were committed and are not told yet, by batch.
    private var rows: [UInt64: [UInt8]] = [:]
    private(set) var committed: UInt64
    private var queryReader = QueryReader()
    private var logReader: LogReader
    private let writer: EventWriter
    /// Hashes of the bodies that the next batch will decide.
    private var bodies: [UInt64] = []

    /// Starts from what is on the disk.
    /// - Throws: what the store throws.
    init(
        _ disk: MemoryDisk, _ settings: StoreSettings, _ clock: SimulatedClock, policy: Int, wakeLimit: Int,
        _ fault: PlantedFault?
    )
        throws
    {
        (self.clock, self.fault, self.wakeLimit) = (clock, fault, wakeLimit)
        let opened = try RocksDBStore(folder: Self.folder, settings) { "simulated" }
        store = fault.map { FaultyStore(opened, $0) } ?? opened
        let revision = try SimulatedPolicies.revision(policy)
        let zones = ZonesRevision(EveryZone(), release: "2025b", fingerprint: "every zone")
        decider = Decider(policy: revision.policy, zones: zones.zones, seed: 1, store: store)
        try decider.start(revision, zones, policies: SimulatedPolicies(), clock: clock.now())
        committed = store.lastBatch
        logReader = LogReader(
            store: store,
            board: StatusBoard(server: "simulated", startedAt: clock.now(), store: store, notices: try Notices()))
        writer = EventWriter(log: store.log)
        // The deciding thread reads the clocks as soon as it runs.
        _ = now()
    }

    var lastBatch: UInt64 { decider.lastBatch }
    var clockState: ClockGuard.State { clockGuard.state }

    /// As an operator asks for.
    func acceptClock() {
        clockGuard.accept()
        _ = now()
    }

    func stateHash() -> UInt64 { decider.core.stateHash() }
    func plan(_ device: String) -> RecipientPlan? { decider.plan(app: Workload.app, device: device) }
    var isReplanning: Bool { decider.replanBacklog > 0 }
    var isIdle: Bool { !decider.hasRequests && commits.isEmpty && untold.isEmpty }

    private func now() -> Instant {
        fault == .believesEveryClock ? clock.now() : clockGuard.read(clock.reading())
    }

    /// Takes a request.
    /// - Returns: an answer that is given at once.
    func take(_ request: WireRequest, from address: ReplyAddress) throws -> Answer? {
        switch request {
        case .hello(let publisher):
            let hello = Hello(
                log: store.log, last: store.lastNumber(of: PublisherName(publisher)), window: Limits.publisherWindow,
                server: "simulated")
            return answer("ration/1 hello", 0, [hello.body], address)
        case .publish(let publisher, let number, let body):
            return publish(body, number, fault == .takesDuplicates ? "" : publisher, address)
        case .read(let number, let body):
            return try body.withUnsafeBytes { body in
                let request = try queryReader.read(body)
                return answer("ration/1 read", number, try page(request), address)
            }
        }
    }

    /// - Throws: what makes rows unreadable, or what a reader must never be told.
    private func page(_ request: ReadRequest) throws -> [[UInt8]] {
        do throws(RequestFault) {
            return try logReader.page(request).bodies
        } catch {
            guard error.code == .damaged else { throw Breach("a reader is told '\(error.message)'") }
            throw UnreadableEvents(message: error.message)
        }
    }

    private func answer(_ name: String, _ number: UInt64, _ bodies: [[UInt8]], _ address: ReplyAddress) -> Answer {
        Answer(address: address, name: Array(name.utf8), number: Array("\(number)".utf8), bodies: bodies)
    }

    private func publish(_ body: [UInt8], _ number: UInt64, _ publisher: String, _ address: ReplyAddress) -> Answer? {
        let before = decider.requestCount
        let answer = body.withUnsafeBytes { bytes in
            decider.take(
                bytes, number: number, of: PublisherName(publisher), numberFrame: Array("\(number)".utf8),
                from: address,
                clock: now())
        }
        if decider.requestCount > before { bodies.append(Book.hash(body)) }
        return answer
    }

    private var mayDecide: Bool { decider.lastBatch - committed < UInt64(CommitQueue.limit) }

    /// Decides a batch, if there is anything to decide.
    func decide() -> DecidedBatch? {
        let now = now()
        let isDoubted = clockGuard.state == .doubted
        let wake = isDoubted ? nil : decider.nextWake
        guard mayDecide, decider.hasRequests || wake.map({ $0 <= now }) ?? false else { return nil }
        let decided = decider.decide(clock: now, wakeLimit: isDoubted ? 0 : wakeLimit)
        defer { bodies = [] }
        return handOver(decided)
    }

    /// Records as a batch of their own, while nothing is under way.
    func writeRecords() -> DecidedBatch? {
        guard committed == decider.lastBatch, decider.hasUnwrittenRecords else { return nil }
        return handOver(decider.records(clock: now()), bodies: [])
    }

    /// Replans a recipient or two that are still planned under an earlier policy.
    func replan() -> DecidedBatch? {
        guard mayDecide, isReplanning else { return nil }
        return handOver(decider.replan(atMost: 2, clock: now()), bodies: [])
    }

    /// Takes up a policy, while nothing is under way.
    /// - Returns: whether it could.
    /// - Throws: what the store throws.
    func takeUp(policy: Int) throws -> Bool {
        guard committed == decider.lastBatch, untold.isEmpty else { return false }
        var proposal = RevisionProposal()
        proposal.policy = try SimulatedPolicies.revision(policy)
        _ = try decider.takeUp(proposal, clock: now())
        return true
    }

    private func handOver(_ decided: consuming Decided) -> DecidedBatch? { handOver(decided, bodies: bodies) }

    private func handOver(_ decided: consuming Decided, bodies: [UInt64]) -> DecidedBatch? {
        var decided = decided
        let batch = decided.commit.map {
            DecidedBatch($0, decided, bodies: bodies, state: decider.core.stateHash())
        }
        tellEarly(&decided)
        untold.add(.batch(decided.telling), after: decided.telling.batch)
        if batch != nil { commits.append(decided) }
        return batch
    }

    /// What a planted fault tells too early.
    private var early: (answers: [Answer], rows: [[UInt8]]) = ([], [])

    private func tellEarly(_ decided: inout Decided) {
        if fault == .acknowledgesBeforeCommit {
            early.answers += decided.telling.answers
            decided.telling.answers = []
        }
        guard fault == .publishesBeforeCommit, var commit = decided.commit else { return }
        do {
            try commit.addEvents(decided.events, from: store)
            if !commit.events.isEmpty { early.rows.append(commit.events) }
        } catch {
            // A content is on its way to the disk: this time it is not early.
        }
    }

    /// Commits the oldest batch that waits.
    /// - Parameter write: gets its events just before they are handed to the store.
    /// - Throws: what the store throws.
    func commit(_ write: ([LoggedEvent]) throws -> Void) throws {
        guard !commits.isEmpty, var commit = commits[0].commit else { return }
        let decided = commits.removeFirst()
        try commit.addEvents(decided.events, from: store)
        let row = commit.events
        if !row.isEmpty { try write(LoggedEvent.all(in: row, writer)) }
        try store.commit(commit)
        committed = commit.batch
        if !row.isEmpty { rows[commit.batch] = row }
    }

    var hasCommits: Bool { !commits.isEmpty }

    /// What may be told now.
    func tell() -> (answers: [Answer], rows: [[UInt8]]) {
        var told = early
        early = ([], [])
        while let word = untold.take(committed: committed) {
            guard case .batch(let telling) = word else { continue }
            told.answers += decider.settle(telling)
            if let row = rows.removeValue(forKey: telling.batch), fault != .publishesBeforeCommit {
                told.rows.append(row)
            }
        }
        return told
    }

    /// What planted faults tell after a commit has failed.
    func tellFailed() -> (answers: [Answer], rows: [[UInt8]]) {
        guard fault == .tellsFailedCommit || fault == .refusesFailedCommit else { return ([], []) }
        var told: (answers: [Answer], rows: [[UInt8]]) = ([], [])
        guard case .batch(let telling)? = untold.take(committed: .max) else { return told }
        if fault == .tellsFailedCommit {
            told.answers = telling.answers
        } else {
            let refusal = RequestFault(.malformed, "the batch has failed")
            told.answers = telling.answers.map { Answer(refusal, to: $0.address, number: $0.number) }
        }
        return told
    }

    /// Renders events as they are published live.
    func live(_ row: [UInt8]) -> [(sequence: UInt64, payload: [UInt8])] {
        LoggedEvent.all(in: row, writer).map { ($0.sequence, $0.bytes) }
    }
}
