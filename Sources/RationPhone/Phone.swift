public import RationModel
internal import RationPlanner

/// A phone as far as scheduling depends on iOS: what an app's notification centre keeps, drops without a word, and shows. Its
/// clock and its zone are values; the same calls give the same phone.
public struct Phone: Sendable {
    /// Which requests stay when there are more than ``limit``; the others are dropped, and nobody is told.
    public enum Retention: CaseIterable, Sendable {
        /// Those that come soonest, as Apple documents it (UILocalNotification; "Local and Remote Notification Programming
        /// Guide").
        case soonest
        /// Those that were added last, as iOS does since 11, and still in 18 (rdar://38065340).
        case lastAdded
    }

    /// A notification that was shown.
    public struct Shown: Hashable, Sendable {
        public var identifier: String
        public var date: Instant
        public var content: [UInt8]

        public init(identifier: String, date: Instant, content: [UInt8]) {
            (self.identifier, self.date, self.content) = (identifier, date, content)
        }
    }

    private struct Pending: Sendable {
        var request: PhoneRequest
        /// When it was added, which intervals count from.
        var added: Instant
        var next: Instant
    }

    /// What iOS keeps for an app.
    public static let limit = 64

    public let retention: Retention
    /// The phone's own time.
    public private(set) var clock: Instant
    /// The zone that its clock shows; what floats is matched again in a new one.
    public var zone: ZoneTable {
        didSet { matchAgain() }
    }
    public private(set) var badge = 0
    /// In the order in which they were shown.
    public private(set) var shown: [Shown] = []
    /// What was dropped without a word, and what was added when it had no date ahead and is never shown: only the simulation
    /// knows.
    public private(set) var dropped: [String] = []
    public private(set) var neverShown: [String] = []
    /// In the order in which they were added.
    private var pending: [Pending] = []
    /// When the next of them comes; `distantFuture` if none does.
    public private(set) var nextDate = Instant.distantFuture

    public init(clock: Instant, zone: ZoneTable, retention: Retention) {
        (self.clock, self.zone, self.retention) = (clock, zone, retention)
    }

    /// The identifiers of what is pending, in the order in which it was added.
    public var pendingIdentifiers: [String] { pending.map(\.request.identifier) }

    /// When a pending one comes; nil if it is not pending.
    public func nextDate(of identifier: String) -> Instant? {
        pending.first { $0.request.identifier.utf8.elementsEqual(identifier.utf8) }?.next
    }

    /// Adds a request; one with its identifier is replaced.
    /// - Throws: what ends the app. Then nothing is added.
    public mutating func add(_ request: PhoneRequest) throws(PhoneException) {
        try request.check()
        remove([request.identifier])
        if case .now = request.trigger { return show(request, clock) }
        guard let next = next(request, added: clock, after: clock) else {
            neverShown.append(request.identifier)
            return
        }
        pending.append(Pending(request: request, added: clock, next: next))
        if pending.count > Self.limit { drop() }
        findNext()
    }

    /// Removes pending requests; those that are not pending are passed over.
    public mutating func remove(_ identifiers: [String]) {
        let bytes = Set(identifiers.map { Array($0.utf8) })
        pending.removeAll { bytes.contains(Array($0.request.identifier.utf8)) }
        findNext()
    }

    public mutating func removeAll() {
        pending.removeAll()
        findNext()
    }

    /// Lets time pass, and shows what comes up to then.
    /// - Returns: what was shown.
    @discardableResult
    public mutating func advance(to instant: Instant) -> ArraySlice<Shown> {
        let first = shown.count
        while nextDate <= instant, let place = pending.indices.min(by: { pending[$0].next < pending[$1].next }) {
            clock = max(clock, pending[place].next)
            show(place)
            findNext()
        }
        clock = max(clock, instant)
        return shown[first...]
    }

    private mutating func show(_ place: Int) {
        let entry = pending[place]
        show(entry.request, entry.next)
        if entry.request.repeats, let next = next(entry.request, added: entry.added, after: entry.next) {
            pending[place].next = next
        } else {
            pending.remove(at: place)
        }
    }

    private mutating func show(_ request: PhoneRequest, _ date: Instant) {
        shown.append(Shown(identifier: request.identifier, date: date, content: request.content))
        if let badge = request.badge { self.badge = badge }
    }

    /// The one that goes when there is one too many.
    private mutating func drop() {
        let place =
            switch retention {
            case .lastAdded: 0
            // Of several at one date the last added.
            case .soonest: pending.indices.max { pending[$0].next <= pending[$1].next } ?? 0
            }
        dropped.append(pending.remove(at: place).request.identifier)
    }

    private func next(_ request: PhoneRequest, added: Instant, after instant: Instant) -> Instant? {
        switch request.trigger {
        case .now: return nil
        case .at(let date): return date > instant ? date : nil
        case .interval(let seconds, let repeats):
            let milliseconds = (seconds * 1_000).rounded()
            guard milliseconds < 1e15 else { return nil }
            let step = max(1, Int64(milliseconds))
            let passed = instant.milliseconds - added.milliseconds
            guard repeats || passed < step else { return nil }
            return added.advanced(by: (passed / step + 1) * step)
        case .calendar(let pattern, let zone, _):
            return pattern.next(
                after: instant, in: zone ?? self.zone, until: instant.advanced(by: Limits.horizonMilliseconds))
        }
    }

    private mutating func matchAgain() {
        for place in pending.indices {
            guard case .calendar(_, zone: nil, _) = pending[place].request.trigger else { continue }
            pending[place].next =
                next(pending[place].request, added: pending[place].added, after: clock) ?? .distantFuture
        }
        findNext()
    }

    private mutating func findNext() {
        nextDate = pending.lazy.map(\.next).min() ?? .distantFuture
    }
}
