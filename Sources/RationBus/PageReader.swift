public import RationWire

/// Reads the event log by position, a page at a time (wire.md, "Reading the log"), and asks for the next page before the
/// last one is used, so that the broker reads while its reader works.
///
/// Whatever has no answer is asked again for ever (``QueryClient``). One thread uses it; nothing happens outside its
/// calls.
public final class PageReader {
    public struct Options: Hashable, Sendable {
        /// Events and bytes of one page.
        public var pageEvents = ReadRequest.mostLimit.upperBound
        public var pageBytes = ReadRequest.mostBytesLimit.upperBound
        /// How long a read at the log's end waits for an event.
        public var waitMilliseconds = 1_000
        /// How much longer than that an answer may take before the broker counts as away.
        public var silenceMilliseconds: Int64 = 5_000
        public var queries = QueryClient.Options()

        public init() {}
    }

    /// What reading has brought.
    public enum Item: Hashable, Sendable {
        case page(QueryClient.Page)
        /// The broker has another log than the one that was read, with these first and last positions. Where to go on is
        /// told by ``seek(log:after:)``.
        case otherLog(ReadAnswer)
        /// The position lies past the end of the log that it belongs to.
        case pastEnd(ReadAnswer)
        case brokerAway
        case brokerBack
    }

    public let options: Options
    private let filter: EventFilter
    private let queries: QueryClient
    private let clock: any MonotonicClock
    private var log: String?
    private var position: UInt64 = 0
    /// The position was refused: asks which log there is and where it ends.
    private var isLocating = false
    private var isAway = false
    private var askedAt: Int64
    /// An item that comes behind the news of the broker's return.
    private var held: Item?

    /// - Parameter queries: the broker's endpoint for queries.
    public init(
        queries: String, filter: EventFilter = EventFilter(), in context: Context, options: Options = Options(),
        clock: any MonotonicClock = SystemMonotonicClock(),
        random: any RandomNumberGenerator = SystemRandomNumberGenerator()
    ) {
        (self.filter, self.options, self.clock) = (filter, options, clock)
        self.queries = QueryClient(
            endpoint: queries, in: context, options: options.queries, clock: clock, random: random)
        askedAt = clock.milliseconds
    }

    /// Goes on behind a position.
    /// - Parameter log: the log that it belongs to; nil: whichever the broker has.
    public func seek(log: String?, after position: UInt64) {
        (self.log, self.position) = (log, position)
        (isLocating, held) = (false, nil)
        begin()
    }

    /// The next item; waits for it.
    /// - Parameters:
    ///   - timeoutMilliseconds: the longest wait; 0 only looks.
    ///   - descriptor: a file whose data end the wait, too.
    /// - Returns: nil if there is none yet.
    /// - Throws: ``QueryError`` that no retry helps, ``ZeroMQError``.
    public func next(timeoutMilliseconds: Int, watching descriptor: Int32? = nil) throws -> Item? {
        if let item = try look() { return item }
        let now = clock.milliseconds
        let silence = isAway ? Int64.max : awayAt
        let next = min(now + Int64(timeoutMilliseconds), queries.nextTime(after: now), silence)
        var poller = Poller()
        let items = try queries.enlist(in: &poller)
        if let descriptor { _ = poller.add(fileDescriptor: descriptor) }
        try poller.wait(milliseconds: Int(max(0, next - now)))
        if let items { try queries.connection?.look(at: poller, items) }
        return try look()
    }

    private var awayAt: Int64 { askedAt + Int64(options.waitMilliseconds) + options.silenceMilliseconds }

    private func look() throws -> Item? {
        if let item = held {
            held = nil
            return item
        }
        if !queries.isAsking { begin() }
        guard let item = try answered() else {
            guard !isAway, clock.milliseconds >= awayAt else { return nil }
            isAway = true
            return .brokerAway
        }
        guard isAway else { return item }
        (isAway, held) = (false, item)
        return .brokerBack
    }

    /// What the question under way has brought; asks the next one.
    private func answered() throws -> Item? {
        do {
            guard let bodies = try queries.advance() else { return nil }
            let page = try queries.page(bodies)
            if isLocating { return locate(page.answer) }
            (log, position) = (page.answer.log, max(position, page.answer.next))
            begin()
            _ = try queries.advance()
            return .page(page)
        } catch let error as QueryError {
            guard case .refused(let fault) = error.code, fault.code == .cursorAhead, log != nil || position > 0 else {
                throw error
            }
            isLocating = true
            begin()
            return nil
        }
    }

    private func locate(_ answer: ReadAnswer) -> Item? {
        isLocating = false
        if let log, !log.utf8.elementsEqual(answer.log.utf8) { return .otherLog(answer) }
        if position > answer.last { return .pastEnd(answer) }
        // The log has grown meanwhile.
        begin()
        return nil
    }

    private func begin() {
        var request = ReadRequest()
        if isLocating {
            request.most = 1
            request.mostBytes = 1
        } else {
            request.log = log
            request.after = position
            request.filter = filter
            request.most = options.pageEvents
            request.mostBytes = options.pageBytes
            request.waitMilliseconds = options.waitMilliseconds
        }
        askedAt = clock.milliseconds
        queries.begin(.read, body: request.body, patience: Int64(request.waitMilliseconds))
    }
}
