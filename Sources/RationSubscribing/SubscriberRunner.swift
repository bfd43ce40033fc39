public import RationBus
public import RationModel
public import RationPluginKit
internal import RationSQLite
internal import RationWire

/// Runs a subscriber: reads the log by position, hands over pages, keeps the cursor with the output, tries again what
/// fails, and sets aside what fails for good.
///
/// It waits only for the broker; whoever calls it waits between its turns. One thread uses it. Everything that has to
/// outlive it is in its file, so that it may go at any moment.
public final class SubscriberRunner {
    public struct Options: Hashable, Sendable {
        /// Events that are handed over at once.
        public var pageEvents = 10_000
        /// Tries before an event that fails, or ends the process, is set aside.
        public var tries = 5
        /// The waits before further tries.
        public var backoff = Backoff()
        /// Processes that may end without progress before events are handed over one by one.
        public var startsBeforeSingles: Int64 = 3
        /// Behind the log's end by longer than this is told.
        public var behindMilliseconds: Int64 = 10_000

        public init() {}
    }

    /// What a turn has done.
    public enum Turn: Hashable, Sendable {
        /// There may be more to do.
        case worked
        /// It waited for the broker, who has nothing new.
        case idle
        /// Nothing is to be done before so many milliseconds have passed.
        case resting(milliseconds: Int64)
        case paused
    }

    public let file: SubscriberFile
    public let options: Options
    /// For other threads.
    public let board: SubscriberBoard
    let plugin: any Subscriber
    let pages: any EventPages
    let clock: any MonotonicClock
    let wallClock: () -> Instant
    let tell: (SubscriberNotice) -> Void
    private var random: any RandomNumberGenerator
    private var reader = ReceivedEventReader()
    var hand: PageInHand?
    var trying: Trying
    /// Whether this process is counted as one that has begun to hand over events.
    var isStartCounted = false
    /// The event that this process has noted before it handed it over alone.
    var notedSuspect: UInt64?
    /// When a working subscriber is asked again, and whether it could not work last time.
    var workingTime = Int64.min
    var isWorkFailing = false
    private var isFollowing = false
    private var isBehind = false
    private var behindSince: (time: Int64, events: UInt64) = (0, 0)

    /// - Parameters:
    ///   - plugin: a ``StoringSubscriber`` or a ``CommittingSubscriber``.
    ///   - pages: nobody else reads them.
    ///   - tell: what there is to say.
    /// - Throws: what preparing the file throws.
    public init(
        _ plugin: any Subscriber, file: SubscriberFile, pages: any EventPages, options: Options = Options(),
        clock: any MonotonicClock = SystemMonotonicClock(), wallClock: @escaping () -> Instant,
        random: any RandomNumberGenerator = SystemRandomNumberGenerator(),
        tell: @escaping (SubscriberNotice) -> Void
    ) throws {
        precondition(
            plugin is any StoringSubscriber || plugin is any CommittingSubscriber,
            "\(type(of: plugin)) is neither a StoringSubscriber nor a CommittingSubscriber")
        (self.plugin, self.file, self.pages, self.options) = (plugin, file, pages, options)
        (self.clock, self.wallClock, self.random, self.tell) = (clock, wallClock, random, tell)
        trying = Trying(full: max(1, options.pageEvents), backoff: options.backoff)
        board = SubscriberBoard(name: file.name)
        if let storing = plugin as? any StoringSubscriber {
            let database = file.database
            try database.transaction { try storing.prepare(database) }
        }
        pages.seek(log: file.cursor?.log, after: file.cursor?.position ?? 0)
        let setAside = try file.setAsideCount()
        board.update { [file] status in
            status.show(file)
            status.setAside = setAside
        }
    }

    /// Whether everything that the log had at the last look is done.
    public var isCaughtUp: Bool { isFollowing && hand == nil && board.status.eventsBehind == 0 }

    /// Does the next piece of work: reads a page, or hands one over.
    /// - Parameters:
    ///   - timeoutMilliseconds: the longest wait for the broker.
    ///   - descriptor: a file whose data end the wait, too.
    /// - Throws: ``SubscriberError``, and what the broker or the file says that no retry helps.
    public func turn(timeoutMilliseconds: Int, watching descriptor: Int32? = nil) throws -> Turn {
        board.beat(clock.milliseconds)
        if file.isPaused { return .paused }
        let more = work()
        let now = clock.milliseconds
        if trying.restingUntil > now { return .resting(milliseconds: trying.restingUntil - now) }
        if hand != nil {
            try handOver()
            workingTime = .min
            noticeLag()
            return .worked
        }
        guard
            let item = try pages.next(
                timeoutMilliseconds: patience(timeoutMilliseconds, more), watching: descriptor)
        else {
            return .idle
        }
        let turn = try take(item)
        noticeLag()
        return turn
    }

    /// Hands nothing over until ``resume()``; it stays so over restarts.
    public func pause() throws {
        guard !file.isPaused else { return }
        try file.setPaused(true)
        board.update { $0.isPaused = true }
        tell(.paused)
    }

    public func resume() throws {
        guard file.isPaused else { return }
        try file.setPaused(false)
        board.update { $0.isPaused = false }
        tell(.resumed)
    }

    /// The process ends by itself, and not by an event.
    public func end() throws {
        guard isStartCounted, file.deaths.carefulUntil == 0 else { return }
        try file.store(SubscriberFile.Deaths())
    }

    private func take(_ item: PageReader.Item) throws -> Turn {
        switch item {
        case .page(let page): return try take(page)
        case .otherLog(let answer): try change(to: answer.log)
        case .pastEnd(let answer):
            throw SubscriberError(
                .pastEnd,
                "the position \(file.cursor?.position ?? 0) lies past the end, \(answer.last), of the log \(answer.log): "
                    + "the broker's data are older than what this subscriber has seen of the same log")
        case .brokerAway:
            board.update { $0.isBrokerAway = true }
            tell(.brokerAway)
        case .brokerBack:
            board.update { $0.isBrokerAway = false }
            tell(.brokerBack)
        }
        return .worked
    }

    private func change(to log: String) throws {
        let before = file.cursor?.log ?? ""
        try file.follow(log)
        hand = nil
        trying.succeed()
        let position = file.cursor?.position ?? 0
        pages.seek(log: log, after: position)
        tell(.otherLog(log, before: before, position: position))
    }

    private func take(_ page: QueryClient.Page) throws -> Turn {
        if file.cursor == nil { try file.follow(page.answer.log) }
        guard let cursor = file.cursor else { return .idle }
        let hand = PageInHand(page, after: cursor.position, &reader)
        board.update { [file] status in
            status.show(file)
            status.last = max(page.answer.last, cursor.position)
            status.nextTime = hand.events.first?.time.milliseconds
        }
        if !isFollowing {
            isFollowing = true
            behindSince = (clock.milliseconds, cursor.events)
            tell(.following(log: cursor.log, position: cursor.position, behind: board.status.eventsBehind))
            isBehind = board.status.eventsBehind > 0
        }
        if hand.gone > 0 { tell(.gone(hand.gone, log: cursor.log)) }
        if hand.isDone, hand.unread.isEmpty, hand.next == cursor.position { return .idle }
        self.hand = hand
        return .worked
    }

    /// Waits before the next try.
    func rest() {
        trying.rest(from: clock.milliseconds, &random)
    }

    private func noticeLag() {
        let status = board.status
        let now = clock.milliseconds
        if !isBehind, status.lagMilliseconds(wallClock()) > options.behindMilliseconds {
            isBehind = true
            behindSince = (now, status.events)
            tell(.fellBehind(events: status.eventsBehind, milliseconds: status.lagMilliseconds(wallClock())))
        } else if isBehind, isCaughtUp {
            isBehind = false
            tell(
                .caughtUp(
                    position: status.position, events: status.events - min(status.events, behindSince.events),
                    milliseconds: now - behindSince.time))
        }
    }
}
