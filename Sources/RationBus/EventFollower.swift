internal import RationModel
public import RationWire

/// Follows a broker's events: each that the filter wants exactly once, in the order of the log (wire.md, "Events" and
/// "Reading the log").
///
/// Without a filter it listens to live events, whose sequence has no holes: a jump, or a heartbeat that is ahead, means
/// that some were missed, and it reads those from the log. With a filter it listens to heartbeats only and reads the log,
/// waiting at its end: behind a filter holes are normal, so live events could not show what was missed, and the broker
/// writes only what is wanted.
///
/// It keeps one page of the log and what waits in a socket's queue. One thread uses it; nothing happens outside its
/// calls.
public final class EventFollower {
    public struct Options: Hashable, Sendable {
        /// Silence after which the broker counts as away; its heart beats once a second.
        public var silenceMilliseconds: Int64 = 5_000
        /// Events and bytes of one page of the log.
        public var pageEvents = 1_000
        public var pageBytes = 1 << 20
        /// How long a read at the log's end waits for an event.
        public var waitMilliseconds = 10_000
        public var queries = QueryClient.Options()

        public init() {}
    }

    enum Mode {
        /// Asks which log there is and where it ends.
        case locating
        /// Reads pages of the log.
        case reading
        /// Listens.
        case live
    }

    public let filter: EventFilter
    public let options: Options
    /// The log that is followed, once it is known.
    public internal(set) var log: String? {
        didSet { if log != oldValue { live.log = log } }
    }
    /// The sequence up to which everything was told. Inside a call it may lag behind.
    public internal(set) var position: UInt64 = 0

    /// Where the log ended when it was first looked at; nil before that.
    public internal(set) var endAtStart: UInt64?
    let start: FollowerStart
    let live: LiveEvents
    let queries: QueryClient
    let clock: any MonotonicClock
    var mode: Mode
    /// What the question that is under way is for.
    var askedMode = Mode.live
    /// Whether events are read from the log only.
    let readsOnly: Bool
    var lastHeard: Int64
    var isAway = false

    /// Live messages that one call looks at, so that its caller gets a turn.
    private static let messagesPerTurn = 4_096

    /// - Parameters:
    ///   - events: the broker's endpoint for live events.
    ///   - queries: the broker's endpoint for queries.
    ///   - filter: an empty one wants every event.
    /// - Throws: ``ZeroMQError`` for an endpoint that is none.
    public init(
        events: String, queries: String, filter: EventFilter = EventFilter(), from start: FollowerStart,
        in context: Context, options: Options = Options(), clock: any MonotonicClock = SystemMonotonicClock(),
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws(ZeroMQError) {
        self.filter = filter
        self.options = options
        self.start = start
        self.clock = clock
        readsOnly = !filter.isEmpty
        lastHeard = clock.milliseconds
        live = try LiveEvents(events, onlyHeartbeats: !filter.isEmpty, in: context)
        self.queries = QueryClient(
            endpoint: queries, in: context, options: options.queries, clock: clock, random: random)
        mode = .locating
        if case .after(let position, let log) = start {
            self.position = position
            self.log = log
            live.log = log
            mode = .reading
        }
    }

    /// Tells what has come; waits for something if nothing has.
    /// - Parameters:
    ///   - timeoutMilliseconds: the longest wait; 0 only looks.
    ///   - descriptor: a file whose data end the wait, too.
    ///   - tell: takes each item. When it throws, the rest of a page is lost: the follower is not to be used further.
    /// - Throws: ``QueryError`` that no retry helps, such as a position beyond the log's end; ``ZeroMQError``; what
    ///   `tell` throws.
    public func poll(
        timeoutMilliseconds: Int, watching descriptor: Int32? = nil, _ tell: (FollowedItem) throws -> Void
    ) throws {
        let end = clock.milliseconds + Int64(timeoutMilliseconds)
        if try turn(tell) { return }
        let now = clock.milliseconds
        guard now < end else { return }
        let next = min(end, queries.nextTime(after: now), isAway ? .max : lastHeard + options.silenceMilliseconds)
        try wait(milliseconds: Int(max(0, next - now)), watching: descriptor)
        _ = try turn(tell)
    }

    private func wait(milliseconds: Int, watching descriptor: Int32?) throws(ZeroMQError) {
        var poller = Poller()
        let items = try queries.enlist(in: &poller)
        try live.enlist(in: &poller)
        if let descriptor { _ = poller.add(fileDescriptor: descriptor) }
        try poller.wait(milliseconds: milliseconds)
        if let items { try queries.connection?.look(at: poller, items) }
    }

    /// Does what can be done now without waiting.
    /// - Returns: whether anything was told, or there may be more to do.
    private func turn(_ tell: (FollowedItem) throws -> Void) throws -> Bool {
        var isBusy = try listen(tell)
        if mode != .live { isBusy = try ask(tell) || isBusy }
        try noticeSilence(tell)
        return isBusy
    }

    /// Looks at live messages until there is none, or one that has to wait until the log is read.
    private func listen(_ tell: (FollowedItem) throws -> Void) throws -> Bool {
        for _ in 0..<Self.messagesPerTurn {
            guard try live.receive() else { return false }
            try hear(tell)
            if live.isHeartbeat {
                queries.hurry()
                try take(heartbeat: live.sequence)
            } else if try !take(event: live.sequence, tell) {
                live.holds = true
                return false
            }
        }
        return true
    }

    private func take(heartbeat last: UInt64) throws {
        guard mode == .live || readsOnly, let log else { return }
        if !live.payloadIs(log) {
            mode = .locating
        } else if mode == .live, last > position {
            mode = .reading
        }
    }

    /// - Returns: false if the event has to wait until what comes before it was read.
    private func take(event sequence: UInt64, _ tell: (FollowedItem) throws -> Void) throws -> Bool {
        guard mode == .live else { return sequence <= position }
        guard live.isOfLog() else {
            mode = .locating
            return false
        }
        if sequence == position + 1 {
            try tell(.event(live.payload))
            position = sequence
        } else if sequence > position {
            mode = .reading
        }
        return sequence <= position
    }

    /// The broker was heard of.
    func hear(_ tell: (FollowedItem) throws -> Void) throws {
        lastHeard = clock.milliseconds
        guard isAway else { return }
        isAway = false
        try tell(.brokerBack)
    }

    private func noticeSilence(_ tell: (FollowedItem) throws -> Void) throws {
        let isLost = try live.lostConnection()
        guard !isAway, isLost || clock.milliseconds - lastHeard >= options.silenceMilliseconds else { return }
        isAway = true
        try tell(.brokerAway)
    }
}
