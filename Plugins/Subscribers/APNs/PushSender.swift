public import RationModel
internal import RationWire

/// Decides what is sent when, on which connection, with which provider token, and what follows from each answer. It sends
/// nothing itself, and reads no clock.
public struct PushSender {
    /// What to send.
    public struct Order: Hashable, Sendable {
        public var ticket: Int
        public var lane: PushLane
        /// Which of the key's provider tokens it goes with.
        public var tokenGeneration: Int
    }

    struct Entry {
        var push: Push
        /// Where it is under way; nil: it waits.
        var lane: PushLane?
        var tokenGeneration = 0
        /// How often it was under way without an answer.
        var losses = 0
        /// What its last try came to.
        var lastReason: String?
    }

    struct Key {
        var token = ProviderTokenState()
        /// Why it was stopped.
        var stopped: String?
        /// Whether a refusal was already answered with another connection.
        var isDoubted = false
        /// Reasons that were told.
        var told: Set<String> = []
    }

    /// What goes to one environment with one key: one connection at a time.
    struct Route {
        var lane: PushLane
        /// Whether the connection has answered: before, it carries one stream (Apple, "Sending notification requests to
        /// APNs").
        var isProven = false
        /// Under way on the lane in use.
        var inFlight = 0
        /// Streams at once, once it is proven.
        var window: Int
        var pausedUntil = Instant.distantPast
        var lastAnswer = Instant.distantPast
        /// Connections in a row that came to nothing, and answers in a row that say the server fails.
        var failures = 0
        var serverFailures = 0
        /// Tickets that wait, those before `first` are gone.
        var waiting: [Int] = []
        var first = 0

        var isEmpty: Bool { first == waiting.count }
    }

    let limits: PushLimits
    var entries: [Entry?] = []
    private var free: [Int] = []
    var keys: [Key]
    var routes: [Route]
    /// Devices that get too many, and until when they are left alone.
    var busy: [DevicesRequest.Recipient: Instant] = [:]
    private var nextRoute = 0

    /// - Parameter keys: how many there are.
    public init(keys count: Int, limits: PushLimits = PushLimits()) {
        self.limits = limits
        keys = Array(repeating: Key(), count: count)
        routes = (0..<count * 2).map { place in
            Route(lane: PushLane(key: place / 2, isSandbox: place % 2 == 1, number: 0), window: limits.streams)
        }
    }

    /// Pushes that have not ended.
    public var count: Int { entries.count - free.count }

    /// Of these, those under way.
    public private(set) var inFlight = 0

    public func push(_ ticket: Int) -> Push? { entries[ticket]?.push }

    /// Why a key sends nothing any more; nil: it does.
    public func stopReason(key: Int) -> String? { keys[key].stopped }

    /// Takes a push over.
    /// - Returns: what becomes of it if it is not even tried.
    public mutating func add(_ push: Push, now: Instant) -> [PushEffect] {
        let ticket = free.popLast() ?? entries.count
        if ticket == entries.count { entries.append(nil) }
        entries[ticket] = Entry(push: push)
        if let ending = endingBefore(push, now) { return end(ticket, ending) }
        routes[Self.route(of: push)].waiting.append(ticket)
        return []
    }

    static func route(of push: Push) -> Int { push.key * 2 + (push.address.isSandbox ? 1 : 0) }

    /// What becomes of a push that is not tried now.
    private mutating func endingBefore(_ push: Push, _ now: Instant) -> PushEnding? {
        if push.validUntil <= now { return .failed(reason: PushReason.expired) }
        if push.content.kind != .broadcast {
            if push.address.token.isEmpty { return .failed(reason: PushReason.noToken) }
            guard push.hasPlainToken else { return .failed(reason: PushReason.malformedToken) }
        }
        if let reason = keys[push.key].stopped { return deferral(push, by: limits.serverMilliseconds, reason, now) }
        let route = routes[Self.route(of: push)]
        if route.pausedUntil > now.advanced(by: limits.patienceMilliseconds) {
            let wait = route.pausedUntil.milliseconds - now.milliseconds
            return deferral(push, by: wait, "ServiceUnavailable", now)
        }
        guard let until = busy[push.recipient] else { return nil }
        guard until > now else {
            busy[push.recipient] = nil
            return nil
        }
        return deferral(push, by: until.milliseconds - now.milliseconds, "TooManyRequests", now)
    }

    /// Puts a push off, or ends it where it would be too late then.
    func deferral(_ push: Push, by milliseconds: Int64, _ reason: String, _ now: Instant) -> PushEnding {
        let until = now.advanced(by: milliseconds)
        guard until < push.validUntil else { return .failed(reason: reason) }
        return .deferred(until: until, attempts: push.attempts, reason: reason)
    }

    /// The next push to send, from the routes in turn.
    /// - Parameter effects: gets what has ended meanwhile.
    public mutating func next(_ now: Instant, _ effects: inout [PushEffect]) -> Order? {
        for step in 0..<routes.count {
            let place = (nextRoute + step) % routes.count
            guard let order = next(from: place, now, &effects) else { continue }
            nextRoute = (place + 1) % routes.count
            return order
        }
        return nil
    }

    private mutating func next(from place: Int, _ now: Instant, _ effects: inout [PushEffect]) -> Order? {
        guard !routes[place].isEmpty, routes[place].pausedUntil <= now else { return nil }
        // A connection that nobody has heard of for long is tried with one push.
        if routes[place].inFlight == 0, now > routes[place].lastAnswer.advanced(by: limits.idleMilliseconds) {
            routes[place].isProven = false
        }
        guard routes[place].inFlight < (routes[place].isProven ? routes[place].window : 1) else { return nil }
        while let ticket = routes[place].takeFirst() {
            guard let entry = entries[ticket] else { continue }
            guard entry.push.validUntil > now else {
                effects += end(ticket, .failed(reason: entry.lastReason ?? PushReason.expired))
                continue
            }
            return order(ticket, routes[place].lane, place, now)
        }
        return nil
    }

    private mutating func order(_ ticket: Int, _ lane: PushLane, _ place: Int, _ now: Instant) -> Order {
        keys[lane.key].token.renew(now)
        let generation = keys[lane.key].token.generation
        entries[ticket]?.lane = lane
        entries[ticket]?.tokenGeneration = generation
        routes[place].inFlight += 1
        inFlight += 1
        return Order(ticket: ticket, lane: lane, tokenGeneration: generation)
    }

    /// When a provider token was made.
    public func issued(key: Int) -> Instant { keys[key].token.issued }

    /// When something can be sent that cannot now; nil: not by waiting alone.
    public func nextTime(after now: Instant) -> Instant? {
        routes.filter { !$0.isEmpty && $0.pausedUntil > now }.map(\.pausedUntil).min()
    }

    /// Puts off what waits, and what is under way: there is no time left. The caller gives up what it has sent.
    public mutating func giveUp(_ now: Instant) -> [PushEffect] {
        var effects: [PushEffect] = []
        let isUnderWay = routes.map { $0.inFlight > 0 }
        for ticket in entries.indices {
            guard let entry = entries[ticket] else { continue }
            if entry.lane != nil { landed(ticket) }
            effects += end(ticket, deferral(entry.push, by: 1_000, entry.lastReason ?? PushReason.interrupted, now))
        }
        for place in routes.indices {
            routes[place].removeAll()
            // What was given up ends with its connection.
            if isUnderWay[place] { effects += close(place, routes[place].lane) }
        }
        return effects
    }

    /// Takes note that a push is no longer under way.
    /// - Returns: the lane that it was on.
    @discardableResult
    mutating func landed(_ ticket: Int) -> PushLane? {
        guard let lane = entries[ticket]?.lane else { return nil }
        entries[ticket]?.lane = nil
        inFlight -= 1
        let place = lane.key * 2 + (lane.isSandbox ? 1 : 0)
        if routes[place].lane == lane { routes[place].inFlight -= 1 }
        return lane
    }

    mutating func end(_ ticket: Int, _ ending: PushEnding) -> [PushEffect] {
        guard var push = entries[ticket]?.push else { return [] }
        if case .deferred(_, let attempts, _) = ending { push.attempts = attempts }
        entries[ticket] = nil
        free.append(ticket)
        return [.ended(push, ending)]
    }
}

/// How the sender waits.
public struct PushLimits: Hashable, Sendable {
    /// Streams at once on one connection.
    public var streams = 1_000
    /// After so long without an answer, a connection is tried with one push.
    public var idleMilliseconds: Int64 = 60_000
    /// What a route waits in memory; beyond, pushes are put off.
    public var patienceMilliseconds: Int64 = 5_000
    /// Apple: "After 15 minutes, you can retry" what a 5xx has answered.
    public var serverMilliseconds: Int64 = 15 * 60_000
    public var longestServerMilliseconds: Int64 = 4 * 3_600_000
    /// Of a device that gets too many.
    public var deviceMilliseconds: Int64 = 60_000
    public var longestDeviceMilliseconds: Int64 = 3_600_000
    /// So many are remembered before those whose time is over are forgotten.
    public var busyDevices = 4_096
    /// Between connections that come to nothing.
    public var connectionMilliseconds: Int64 = 1_000
    public var longestConnectionMilliseconds: Int64 = 60_000
    /// So often a push is sent without an answer before it is put off.
    public var losses = 3
    /// So many failures of the server in a row pause all that goes to it.
    public var serverFailures = 10

    public init() {}
}

extension PushSender.Route {
    mutating func takeFirst() -> Int? {
        guard first < waiting.count else {
            removeAll()
            return nil
        }
        first += 1
        return waiting[first - 1]
    }

    mutating func putFirst(_ ticket: Int) {
        if first > 0 {
            first -= 1
            waiting[first] = ticket
        } else {
            waiting.insert(ticket, at: 0)
        }
    }

    mutating func removeAll() {
        waiting.removeAll(keepingCapacity: true)
        first = 0
    }
}
