import RationBus
import RationModel
import RationStore
import RationWire

/// The deciding thread: collect what has arrived, decide it as one batch, hand it to the committing thread; publish and
/// acknowledge what that has committed. While a batch is synced, the next is collected and decided. It owns the intents and
/// the events socket.
struct DecideLoop: ~Copyable {
    /// What one batch takes at most (store.md; wire.md, "Publishing intents").
    struct BatchLimits {
        var requests = 1024
        /// Also those that come to no request, so that a flood of them holds nobody up.
        var messages = 4096
        var intents = 8192
        /// As `batch.bytes` holds them. One request more, of which numbers may become four times as long, stays below
        /// `ContentPosition.batchBytes`.
        var bytes = 4 << 20
    }

    enum Phase {
        case running
        /// What was received is still decided, until nothing more is found or time is up.
        case draining(until: Int)
        /// Requests get `stopping`, until it is quiet or time is up.
        case refusing(until: Int, quietSince: Int)
        case ended
    }

    var decider: Decider
    private let intents: Socket
    private let events: Socket
    let store: any Store
    let clock: any WallClock
    let mailbox: DecideMailbox
    let queries: QueryMailbox
    let zonesInForce: ZonesInForce
    let notices: Notices
    let commits: CommitQueue
    let forgets: ForgetDesk
    /// What waits for commits.
    var untold = Untold()
    /// The last event that was published live.
    var toldSequence: UInt64
    private var lastTurn: UInt64 = 0
    var clockGuard = ClockGuard()
    /// What tells this process's snapshots from those of others: places of recipients mean nothing elsewhere.
    let snapshotName = SnapshotPlace.randomName()
    /// When replanning began, if it goes on.
    var replanSince: Int?
    var pace = ReplanPace()
    private let board: StatusBoard
    let server: String
    private let limits = BatchLimits()
    var queryReader = QueryReader()
    private var live: LivePublisher
    private var sender: AnswerSender
    var message = Message()
    /// Whether `message` waits for the next batch.
    var isHeld = false
    var phase = Phase.running
    private var nextHeartbeat = 0
    private var nextRecords = 0
    private var nextIdle = 0
    var malformed = 0
    private var published = 0
    private let connections: ConnectionWatch
    private var connectionCounters = ConnectionCounters()

    private static let heartbeatMilliseconds = 1000
    private static let drainMilliseconds = 1000
    private static let refusalMilliseconds = 2000
    private static let quietMilliseconds = 200
    /// From one batch of records to the next, while there is nothing else to do.
    private static let recordsMilliseconds = 50
    /// From one round of looking for idle recipients to the next.
    private static let idleMilliseconds = 86_400_000

    init(
        decider: consuming Decider, sockets: (intents: Socket, events: Socket), connections: ConnectionWatch,
        broker: BrokerParts
    ) {
        self.decider = decider
        self.connections = connections
        intents = sockets.intents
        events = sockets.events
        store = broker.store
        clock = broker.clock
        mailbox = broker.decideMailbox
        queries = broker.queryMailbox
        zonesInForce = broker.zonesInForce
        notices = broker.notices
        commits = broker.commits
        forgets = broker.forgets
        toldSequence = broker.store.range.last
        board = broker.board
        server = broker.board.server
        live = LivePublisher(socket: events, log: broker.store.log)
        sender = AnswerSender(socket: intents)
    }

    /// Works until it is told to stop.
    /// - Throws: what the store or a socket throws: the process has to end.
    mutating func run() throws {
        intents.adopt()
        events.adopt()
        connections.adopt()
        CrashMark.watchThisThread()
        var poller = Poller()
        let arrivals = try poller.add(intents)
        let subscriptions = try poller.add(events)
        let wakeup = poller.add(fileDescriptor: mailbox.wakeup.fileDescriptor)
        try resumeForgetting()
        while true {
            let turn = mailbox.beginTurn()
            if let failure = store.failure { throw failure }
            lookForRoom()
            // A full batch waits for a commit, what has arrived behind it for its turn.
            poller.setInterest(isBatchFull ? [] : .readable, of: arrivals)
            try poller.wait(milliseconds: try timeout())
            if poller.isReadable(wakeup) { mailbox.wakeup.drain() }
            if poller.isReadable(subscriptions) { try live.readSubscriptions() }
            let begin = Monotonic.nanoseconds()
            try tellCommitted()
            let isQuiet = try collect()
            let hasDecided = try decide()
            try tidyUp(isQuiet: isQuiet && !hasDecided)
            if hasDecided || !isQuiet { showCounters() }
            try takeProposals()
            if case .running = phase { try replanSlice(besideIntake: Monotonic.nanoseconds() - begin) }
            answerPlans()
            answerClock()
            answerDevices()
            answerHolding()
            try answerForget()
            answerSnapshot()
            explain()
            try beat()
            if turn > lastTurn { say(.turn(turn)) }
            lastTurn = turn
            try tellCommitted()
            advancePhase(isQuiet: isQuiet && !decider.hasRequests && untold.isEmpty)
            if case .ended = phase { break }
        }
        try finishCommits()
        commits.stop()
        forgets.stop()
        refuseProposals()
        refuseForgets()
        intents.close()
        events.close()
    }

    /// Tells when the disk becomes too full for intents, and when there is room again.
    private mutating func lookForRoom() {
        let isFull = !store.hasRoom
        guard isFull != decider.counters.isFull else { return }
        decider.counters.isFull = isFull
        notices.post(isFull ? .full : .roomAgain)
        showCounters()
    }

    private var isBatchFull: Bool {
        decider.requestCount >= limits.requests || decider.intentCount >= limits.intents
            || decider.byteCount >= limits.bytes || decider.isTryingAlone
    }

    /// How long there is nothing to do by itself: commits that are under way tell when they are done.
    private mutating func timeout() throws -> Int {
        if case .running = phase {
            guard try mayDecide() else { return max(0, nextHeartbeat - Monotonic.milliseconds()) }
            if isHeld { return 0 }
            if decider.replanBacklog > 0 { return pace.next > Monotonic.nanoseconds() ? 1 : 0 }
            var wait = max(0, nextHeartbeat - Monotonic.milliseconds())
            let tidying = decider.hasUnwrittenRecords ? Self.recordsMilliseconds : nextIdle - Monotonic.milliseconds()
            wait = min(wait, max(1, tidying))
            if let wake = nextFiring {
                wait = min(wait, Int(max(0, wake.milliseconds - now().milliseconds)))
            }
            return wait
        }
        return 20
    }

    /// Takes what has arrived, up to a batch's limits.
    /// - Returns: whether there was nothing.
    private mutating func collect() throws(ZeroMQError) -> Bool {
        var received = 0
        while received < limits.messages, !isBatchFull, try nextMessage() {
            received += 1
            if let answer = handle() { try sender.send(answer) }
            if isHeld { break }
        }
        for line in decider.poison?.takeReport() ?? [] { notices.post(.poison(line)) }
        return received == 0
    }

    private mutating func nextMessage() throws(ZeroMQError) -> Bool {
        guard isHeld else { return try intents.receive(into: &message) }
        isHeld = false
        return true
    }

    /// Decides, and hands the batch to the committing thread; a small one is committed here while nothing else waits.
    /// - Returns: whether there was anything to decide.
    private mutating func decide() throws -> Bool {
        let now = now()
        guard decider.hasRequests || (nextFiring.map { $0 <= now } ?? false), try mayDecide() else { return false }
        let limit = clockGuard.state == .doubted || decider.isTryingAlone ? 0 : Limits.firedPerBatch
        let decided = decider.decide(clock: now, wakeLimit: limit)
        let isCommitted = try !isHeld && decided.isSmall && commits.commitAtOnce(decided, to: store)
        handOver(decided, isCommitted: isCommitted)
        return true
    }

    /// While there is nothing else to do: writes records, so that the next start has little to apply, and then looks for
    /// recipients that are idle.
    private mutating func tidyUp(isQuiet: Bool) throws {
        guard isQuiet, try commits.committed() == decider.lastBatch else { return }
        let time = Monotonic.milliseconds()
        if decider.hasUnwrittenRecords {
            guard time >= nextRecords else { return }
            nextRecords = time + Self.recordsMilliseconds
            handOver(decider.records(clock: now()))
        } else if time >= nextIdle {
            let (decided, isAtEnd) = decider.removeIdle(clock: now())
            nextIdle = time + (isAtEnd ? Self.idleMilliseconds : Self.recordsMilliseconds)
            if let decided { handOver(decided) }
        }
    }

    /// Publishes a committed batch's events live.
    mutating func publish(_ row: [UInt8]) throws(ZeroMQError) { published += try live.publish(row: row) }

    mutating func send(_ answer: Answer) throws(ZeroMQError) { try sender.send(answer) }

    /// Brings what `status` shows up to date, also where messages came to no batch.
    func showCounters() {
        var counters = decider.counters
        (counters.malformed, counters.published, counters.answersDropped) = (malformed, published, sender.dropped)
        counters.connections = connectionCounters
        board.update { [counters] in $0.counters = counters }
    }

    private mutating func beat() throws(ZeroMQError) {
        let now = Monotonic.milliseconds()
        guard now >= nextHeartbeat else { return }
        nextHeartbeat = now + Self.heartbeatMilliseconds
        try live.heartbeat(last: toldSequence)
        connectionCounters = try connections.drain()
        showCounters()
    }

    private mutating func advancePhase(isQuiet: Bool) {
        let now = Monotonic.milliseconds()
        switch phase {
        case .running:
            guard mailbox.isStopping else { return }
            board.update { $0.isStopping = true }
            phase = .draining(until: now + Self.drainMilliseconds)
        case .draining(let end):
            if isQuiet || now >= end {
                phase = .refusing(until: now + Self.refusalMilliseconds, quietSince: now)
            }
        case .refusing(let end, let quietSince):
            if now >= end || (isQuiet && now - quietSince >= Self.quietMilliseconds) {
                phase = .ended
            } else if !isQuiet {
                phase = .refusing(until: end, quietSince: now)
            }
        case .ended: break
        }
    }
}
