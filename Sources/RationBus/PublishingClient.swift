internal import RationModel

/// Publishes intents to a broker (wire.md, "Publishing intents"): numbers requests, keeps them in an ``Outbox`` until
/// they are acknowledged, has several under way, and sends them again, in order, after whatever goes wrong between.
///
/// With a publisher's name each request is decided exactly once, as long as the outbox and the broker's data last. With
/// an empty name there is no such promise: nothing is stored, and what was under way when the connection ended may have
/// been decided or not (``PublishingAnswer/unknown(number:)``); it is not sent again.
///
/// One thread uses it; nothing happens outside its calls. A service that has nothing to submit calls
/// ``poll(timeoutMilliseconds:watching:)`` to get its answers.
///
/// ```swift
/// let client = try PublishingClient(endpoint: "tcp://127.0.0.1:7464", publisher: "habits", in: Context())
/// try client.submit(lines)
/// while !client.isDrained { for answer in try client.poll(timeoutMilliseconds: 1_000) { … } }
/// ```
public final class PublishingClient {
    public struct Options: Hashable, Sendable {
        /// Requests without an answer; ``PublishingClient/submit(_:timeoutMilliseconds:)`` waits beyond that. 1 to 64.
        public var window = Limits.publisherWindow
        /// How long the answer to a request, or a connection, may take before the client connects anew.
        public var deadlineMilliseconds: Int64 = 10_000
        /// The waits before further tries.
        public var backoff = Backoff()

        public init() {}
    }

    enum Phase {
        /// No connection; the next try at this time.
        case resting(until: Int64)
        /// Until it can send.
        case opening(ClientConnection, deadline: Int64)
        /// Until it is greeted.
        case greeting(ClientConnection, deadline: Int64)
        case ready(ClientConnection)
        case failed(PublishingError)
    }

    public let endpoint: String
    /// Empty for none.
    public let publisher: String
    public let options: Options
    /// The broker's event log, once the broker has named it.
    public internal(set) var log: String?
    /// Numbers that an earlier event log has acknowledged and this one knows nothing of: it was restored from an older backup.
    /// What they held is to be published again by who still wants it. Nil: none.
    public internal(set) var forgotten: ClosedRange<UInt64>?

    let publisherBytes: [UInt8]
    let outbox: (any Outbox)?
    let context: Context
    let clock: any MonotonicClock
    var random: any RandomNumberGenerator
    var backoff: Backoff
    var phase = Phase.resting(until: 0)
    var window: PublishingWindow
    /// The broker's limit of requests under way.
    var brokerWindow = Limits.publisherWindow
    /// Nothing is sent before this time: the broker has asked for patience.
    var pausedUntil = Int64.min
    /// What the broker said when it last asked for patience; nil once it has taken something again.
    public internal(set) var lastPostponement: String?
    /// Whether the socket took no more.
    var isBlocked = false
    /// What a caller knows a number as, less the number: renumbering does not show.
    var numberOffset: UInt64 = 0
    var answers: [PublishingAnswer] = []
    var message = Message()

    /// Connects at the first call that needs it.
    /// - Parameters:
    ///   - endpoint: the broker's endpoint for intents.
    ///   - publisher: a stable name, at most 64 bytes, that no other client uses at the same time; empty for none.
    ///   - outbox: where unacknowledged requests are kept; what it holds is sent first. Not used without a name.
    ///   - clock: for deadlines.
    ///   - random: for the waits before further tries.
    /// - Throws: `PublishingError` for a name that is too long; what the outbox throws.
    public init(
        endpoint: String, publisher: String, outbox: any Outbox = MemoryOutbox(), in context: Context,
        options: Options = Options(), clock: any MonotonicClock = SystemMonotonicClock(),
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) throws {
        guard publisher.utf8.count <= Limits.publisherBytes else {
            throw PublishingError(
                .publisher,
                "a publisher's name has at most \(Limits.publisherBytes) bytes, '\(publisher.prefix(80))' has "
                    + "\(publisher.utf8.count)")
        }
        self.endpoint = endpoint
        self.publisher = publisher
        self.options = options
        self.context = context
        self.clock = clock
        self.random = random
        publisherBytes = Array(publisher.utf8)
        backoff = options.backoff
        self.outbox = publisher.isEmpty ? nil : outbox
        let stored = try self.outbox?.unacknowledged() ?? []
        window = PublishingWindow(first: stored.first?.number ?? self.outbox?.nextNumber ?? 1)
        for entry in stored { window.append(entry.body) }
    }

    /// Requests without an answer, those that the outbox held at the beginning included.
    public var pendingCount: Int { window.count }

    /// Whether a request can be submitted without waiting.
    public var hasRoom: Bool { window.count < max(1, options.window) }

    /// Whether every request has its answer and every answer was polled.
    public var isDrained: Bool { window.isEmpty && answers.isEmpty }

    /// Whether the broker answers: greeted, and not lost since.
    public var isConnected: Bool {
        if case .ready = phase { true } else { false }
    }

    /// Stores a request and sends it as soon as it can be sent. Waits only while the window is full.
    /// - Parameters:
    ///   - body: NDJSON, one intent a line, at most 4,096 lines and 2 MiB.
    ///   - timeoutMilliseconds: the longest wait for room; a negative one waits without limit.
    /// - Returns: the number by which the answer names it.
    /// - Throws: `PublishingError`, ``ZeroMQError``, what the outbox throws.
    @discardableResult
    public func submit(_ body: [UInt8], timeoutMilliseconds: Int = -1) throws -> UInt64 {
        guard body.count <= Limits.requestBytes else {
            throw PublishingError(
                .tooLarge, "a request has at most \(Limits.requestBytes) bytes, this one has \(body.count)")
        }
        try waitForRoom(timeoutMilliseconds)
        try outbox?.store(number: window.nextNumber, body: body)
        let number = window.append(body)
        try advance()
        return number &+ numberOffset
    }

    private func waitForRoom(_ timeoutMilliseconds: Int) throws {
        if case .failed(let error) = phase { throw error }
        let end = timeoutMilliseconds < 0 ? Int64.max : clock.milliseconds + Int64(timeoutMilliseconds)
        while !hasRoom {
            try advance()
            if hasRoom { return }
            guard clock.milliseconds < end else {
                throw PublishingError(
                    .timedOut, "\(window.count) requests have no answer after \(timeoutMilliseconds) ms; none was added"
                )
            }
            try wait(until: end, watching: nil)
        }
    }

    /// Sends, receives, and watches the deadlines, until there is an answer or time is up.
    /// - Parameters:
    ///   - timeoutMilliseconds: the longest wait; 0 only looks.
    ///   - descriptor: a file whose data end the wait, too.
    /// - Returns: the answers in the order of their numbers; there may be none although time is not up.
    /// - Throws: `PublishingError` when the client cannot go on, now and at each further call; ``ZeroMQError``; what the
    ///   outbox throws.
    public func poll(timeoutMilliseconds: Int, watching descriptor: Int32? = nil) throws -> [PublishingAnswer] {
        try advance()
        if answers.isEmpty, timeoutMilliseconds > 0 {
            try wait(until: clock.milliseconds + Int64(timeoutMilliseconds), watching: descriptor)
            try advance()
        }
        defer { answers.removeAll() }
        return answers
    }

    /// Waits until a socket is ready, a deadline has come, or it is `end`.
    private func wait(until end: Int64, watching descriptor: Int32?) throws(ZeroMQError) {
        let now = clock.milliseconds
        let left = max(0, min(end, nextTime(after: now), now + 60_000) - now)
        switch phase {
        case .opening(let connection, _):
            try connection.wait(milliseconds: Int(left), writable: true, watching: descriptor)
        case .greeting(let connection, _):
            try connection.wait(milliseconds: Int(left), writable: false, watching: descriptor)
        case .ready(let connection):
            try connection.wait(milliseconds: Int(left), writable: isBlocked, watching: descriptor)
        case .resting, .failed:
            var poller = Poller()
            if let descriptor { _ = poller.add(fileDescriptor: descriptor) }
            try poller.wait(milliseconds: Int(left))
        }
    }

    /// When something has to be done even if nothing comes.
    private func nextTime(after now: Int64) -> Int64 {
        switch phase {
        case .resting(let time), .opening(_, let time), .greeting(_, let time): time
        case .ready: min(window.earliestDeadline ?? .max, pausedUntil > now ? pausedUntil : .max)
        case .failed: .max
        }
    }
}
