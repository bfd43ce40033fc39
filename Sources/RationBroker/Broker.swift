import Glibc
import RationBus
import RationHTTP
public import RationStore
import Synchronization

/// What the threads of a broker share.
struct BrokerParts: Sendable {
    var store: any Store
    var clock: any WallClock
    var decideMailbox: DecideMailbox
    var queryMailbox: QueryMailbox
    var board: StatusBoard
    var zonesInForce: ZonesInForce
    var notices: Notices
    var commits: CommitQueue
    var forgets: ForgetDesk
}

/// Where a broker listens.
public struct BrokerEndpoints: Sendable {
    public var intents: String
    public var events: String
    public var queries: String
    /// `ipc://`: whoever can connect may replace the policy.
    public var admin: String
    /// `address:port`; nil for no HTTP.
    public var http: String?

    public init(intents: String, events: String, queries: String, admin: String, http: String?) {
        self.intents = intents
        self.events = events
        self.queries = queries
        self.admin = admin
        self.http = http
    }
}

/// A running broker: a deciding thread, a committing thread, a reading thread and an HTTP server over one store.
public final class Broker: Sendable {
    /// The endpoints as bound, with real ports.
    public let endpoints: BrokerEndpoints
    /// Readable once a thread has ended, by itself or by `stop`.
    public var endedDescriptor: Int32 { ended.fileDescriptor }
    /// Readable while there are notices.
    public var noticesDescriptor: Int32 { parts.notices.wakeup.fileDescriptor }

    private let parts: BrokerParts
    private let context: Context
    private let decideThread: OwnThread
    private let commitThread: OwnThread
    private let queryThread: OwnThread
    private let http: HTTPServer?
    private let ended: Wakeup

    /// Binds the sockets, logs what the broker starts under, and starts the threads. Signals that the process handles are
    /// blocked in the calling thread before, so that the new ones have them blocked too.
    /// - Parameters:
    ///   - policy: the policy that the broker starts under.
    ///   - zones: the tz database that it starts under.
    ///   - categories: those that apps have declared.
    ///   - policies: reads policies that come over the admin endpoint.
    ///   - data: the data folder, where requests that end the broker are noted and kept aside; nil: nowhere.
    ///   - server: name and version, as `hello` and `status` tell it.
    /// - Throws: `ZeroMQError` or `HTTPError` for an endpoint that cannot be bound; what the store throws.
    public init(
        policy: PolicyRevision, zones: ZonesRevision, categories: CategoriesRevision = .none,
        policies: any PolicyReading, store: any Store, endpoints: BrokerEndpoints, clock: any WallClock = SystemClock(),
        data: String? = nil, server: String
    ) throws {
        let context = try Context()
        let notices = try Notices()
        let board = StatusBoard(server: server, startedAt: clock.now(), store: store, notices: notices)
        let mailbox = try DecideMailbox()
        let queries = try QueryMailbox()
        let poison = data.map { PoisonFolder(data: $0) }
        let parts = BrokerParts(
            store: store, clock: clock, decideMailbox: mailbox, queryMailbox: queries,
            board: board, zonesInForce: ZonesInForce(zones.zones), notices: notices,
            commits: try CommitQueue(after: store.lastBatch, committed: mailbox.wakeup),
            forgets: ForgetDesk(store: store, mailbox: queries, notices: notices, poison: poison))
        let sockets = try BrokerSockets(in: context)
        let bound = try sockets.bind(endpoints)
        http = try endpoints.http.map { address in
            try HTTPServer(address: address) { Health.answer($0, parts) }
        }
        var random = SystemRandomNumberGenerator()
        var decider = Decider(policy: policy.policy, zones: zones.zones, seed: random.next(), store: store)
        decider.poison = try data.map { data throws(PoisonError) in try PoisonWatch(data: data) }
        try decider.start(policy, zones, categories, policies: policies, clock: clock.now())
        parts.zonesInForce.replace(by: zones.zones, number: decider.counters.zonesRevision)
        board.update { [counters = decider.counters] in $0.counters = counters }
        let ended = try Wakeup()
        let decideLoop = Handover(
            DecideLoop(
                decider: decider, sockets: (sockets.intents, sockets.events), connections: sockets.writers,
                broker: parts))
        let queryLoop = Handover(
            QueryLoop(
                socket: sockets.queries, admin: AdminDesk(socket: sockets.admin, policies: policies, broker: parts),
                connections: sockets.readers, broker: parts))
        commitThread = try OwnThread("commit", ended: ended) { [commits = parts.commits] in try commits.run(store) }
        decideThread = try OwnThread("decide", ended: ended) {
            var loop = decideLoop.take()
            try loop.run()
        }
        queryThread = try OwnThread("query", ended: ended) {
            var loop = queryLoop.take()
            try loop.run()
        }
        self.endpoints = bound.with(httpPort: http?.port)
        (self.context, self.parts, self.ended) = (context, parts, ended)
    }

    /// Takes up a policy, a tz database, categories, or several of these, between two batches: soon, not at once. What came
    /// of it is told as a notice.
    public func takeUp(_ policy: PolicyRevision?, _ zones: ZonesRevision?, _ categories: CategoriesRevision? = nil) {
        let proposal = RevisionProposal(policy: policy, zones: zones, categories: categories)
        guard !parts.decideMailbox.propose(proposal) else { return }
        parts.notices.post(.tooManyRevisions)
    }

    /// What there is to say to the operator since the last call.
    public func takeNotices() -> [BrokerNotice] { parts.notices.take() }

    /// Decides, publishes and acknowledges what was received, refuses what comes then, and ends. Returns when all
    /// threads have ended.
    /// - Throws: what a thread failed with.
    public func stop() throws {
        parts.decideMailbox.stop()
        let decided = Result { try decideThread.join() }
        parts.commits.stop()
        let committed = Result { try commitThread.join() }
        parts.queryMailbox.stop()
        let read = Result { try queryThread.join() }
        http?.stop()
        try committed.get()
        try decided.get()
        try read.get()
    }
}
