import Glibc
import RationBus
import RationHTTP
public import RationPlanner
public import RationStore
import Synchronization

/// What the threads of a broker share.
struct BrokerParts: Sendable {
    var store: any Store
    var clock: any WallClock
    var decideMailbox: DecideMailbox
    var queryMailbox: QueryMailbox
    var board: StatusBoard
}

/// Where a broker listens.
public struct BrokerEndpoints: Sendable {
    public var intents: String
    public var events: String
    public var queries: String
    /// `address:port`; nil for no HTTP.
    public var http: String?

    public init(intents: String, events: String, queries: String, http: String?) {
        self.intents = intents
        self.events = events
        self.queries = queries
        self.http = http
    }
}

/// A running broker: a deciding thread, a reading thread and an HTTP server over one store.
public final class Broker: Sendable {
    /// The endpoints as bound, with real ports.
    public let endpoints: BrokerEndpoints
    /// Readable once a thread has ended, by itself or by `stop`.
    public var endedDescriptor: Int32 { ended.fileDescriptor }

    private let parts: BrokerParts
    private let context: Context
    private let decideThread: OwnThread
    private let queryThread: OwnThread
    private let http: HTTPServer?
    private let ended: Wakeup

    /// Binds the sockets and starts the threads. Signals that the process handles are blocked in the calling thread
    /// before, so that the new ones have them blocked too.
    /// - Parameters:
    ///   - server: name and version, as `hello` and `status` tell it.
    /// - Throws: `ZeroMQError` or `HTTPError` for an endpoint that cannot be bound.
    public init(
        core: consuming Core, store: any Store, endpoints: BrokerEndpoints, clock: any WallClock = SystemClock(),
        server: String
    ) throws {
        let context = try Context()
        let board = StatusBoard(server: server, startedAt: clock.now(), store: store)
        let parts = BrokerParts(
            store: store, clock: clock, decideMailbox: try DecideMailbox(), queryMailbox: try QueryMailbox(),
            board: board)
        let intents = try Socket(.router, in: context)
        let events = try Socket(.xpub, in: context)
        let queries = try Socket(.router, in: context, options: Self.queryOptions)
        let writers = try ConnectionWatch([intents, events], in: context)
        let readers = try ConnectionWatch([queries], in: context)
        var bound = endpoints
        bound.intents = try intents.bind(endpoints.intents)
        bound.events = try events.bind(endpoints.events)
        bound.queries = try queries.bind(endpoints.queries)
        http = try endpoints.http.map { address in
            try HTTPServer(address: address) { Health.answer($0, parts) }
        }
        if let http, let address = endpoints.http {
            bound.http = address.prefix(through: address.lastIndex(of: ":") ?? address.startIndex) + "\(http.port)"
        }
        let ended = try Wakeup()
        let decider = Decider(core: core, store: store)
        let decideLoop = Handover(
            DecideLoop(decider: decider, sockets: (intents, events), connections: writers, broker: parts))
        let queryLoop = Handover(QueryLoop(socket: queries, connections: readers, broker: parts))
        decideThread = try OwnThread("decide", ended: ended) {
            var loop = decideLoop.take()
            try loop.run()
        }
        queryThread = try OwnThread("query", ended: ended) {
            var loop = queryLoop.take()
            try loop.run()
        }
        (self.context, self.parts, self.endpoints, self.ended) = (context, parts, bound, ended)
    }

    /// An answer to `read` may have 4 MiB: a client that asks and does not read its answers holds this many in memory;
    /// further ones are dropped.
    private static var queryOptions: SocketOptions {
        var options = SocketOptions.server
        options.sendHighWaterMark = 64
        return options
    }

    /// Decides, publishes and acknowledges what was received, refuses what comes then, and ends. Returns when all
    /// threads have ended.
    /// - Throws: what a thread failed with.
    public func stop() throws {
        parts.decideMailbox.stop()
        let decided = Result { try decideThread.join() }
        parts.queryMailbox.stop()
        let read = Result { try queryThread.join() }
        http?.stop()
        try decided.get()
        try read.get()
    }
}
