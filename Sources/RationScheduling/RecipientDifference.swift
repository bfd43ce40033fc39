internal import RationModel
internal import RationPluginKit

/// How far what a recipient's row says can be trusted.
enum Doubt: Int64, Comparable, Sendable {
    case none
    /// Events may be missing: what is wanted is published again, which changes nothing where it stands.
    case resend
    /// The broker may hold anything: it is cleared of the scheduler's prefixes first.
    case anew

    static func < (left: Doubt, right: Doubt) -> Bool { left.rawValue < right.rawValue }
}

/// What has to be published so that one recipient's pending notifications become what is wanted. Pure.
struct RecipientDifference {
    /// A notification to schedule, and what is known of its id until its line is stored.
    struct Scheduling {
        /// Its place among the wanted.
        var wanted: Int
        /// Its place in ``published``.
        var place: Int
        var replaced: PublishedNotification?
    }

    /// Whether everything under the prefixes is cancelled first.
    var clears = false
    var cancelled: [PublishedNotification] = []
    var scheduled: [Scheduling] = []
    /// What is known when all that is stored, by rising bytes of the ids; what is scheduled has no request yet.
    var published: [PublishedNotification] = []
    /// When one of those may be offered again.
    var nextRetry: Instant?

    private let doubt: Doubt
    private let now: Instant

    /// - Parameters:
    ///   - order: the places of the wanted ones, by rising bytes of the ids, which are distinct.
    ///   - known: what was published, by rising bytes of the ids.
    init(
        _ wanted: [WantedNotification], order: [Int], known: [PublishedNotification], doubt: Doubt, now: Instant
    ) {
        (self.doubt, self.now) = (doubt, now)
        clears = doubt == .anew
        published.reserveCapacity(order.count)
        scheduled.reserveCapacity(order.count)
        var index = 0
        for place in order {
            while index < known.count, known[index].id.utf8.lexicographicallyPrecedes(wanted[place].id.utf8) {
                leave(known[index])
                index += 1
            }
            if index < known.count, known[index].id.utf8.elementsEqual(wanted[place].id.utf8) {
                take(wanted[place], place, known[index])
                index += 1
            } else {
                take(wanted[place], place, nil)
            }
        }
        for notification in known[index...] { leave(notification) }
    }

    /// Whether there is nothing to publish.
    var isEmpty: Bool { !clears && cancelled.isEmpty && scheduled.isEmpty }

    /// One that is not wanted any more.
    private mutating func leave(_ known: PublishedNotification) {
        // Cleared with the others, gone by itself, or ended before.
        guard !clears, known.mayBePending, known.expires > now || known.replacesAnother else { return }
        cancelled.append(known)
    }

    private mutating func take(_ wanted: WantedNotification, _ place: Int, _ known: PublishedNotification?) {
        let isPublishable = wanted.expires > now && (wanted.overdue == .deliver || wanted.date.isAhead(of: now))
        let substance = wanted.substance
        guard let known else {
            if isPublishable { schedule(wanted, place, substance, nil) }
            return
        }
        guard known.expires > now || wanted.expires > now else { return leave(known) }
        let isSame = known.substance == substance && known.isNear(wanted)
        switch known.standing {
        case .ended where isSame:
            keep(known)
        case .refused(let until) where isSame && until > now && doubt < .anew:
            keep(known)
            nextRetry = min(nextRetry ?? until, until)
        case .pending where isSame && doubt == .none:
            published.append(known)
        default:
            if isPublishable { schedule(wanted, place, substance, known) } else { rest(wanted, known) }
        }
    }

    private mutating func schedule(
        _ wanted: WantedNotification, _ place: Int, _ substance: UInt64, _ replaced: PublishedNotification?
    ) {
        scheduled.append(Scheduling(wanted: place, place: published.count, replaced: replaced))
        var new = PublishedNotification(
            id: wanted.id, date: wanted.date, expires: wanted.expires, substance: substance, request: 0)
        new.replacesAnother = replaced?.mayBePending ?? false
        published.append(new)
    }

    /// One whose line differs, and that cannot be published any more.
    private mutating func rest(_ wanted: WantedNotification, _ known: PublishedNotification) {
        if known.standing == .pending, clears {
            // Its time has come, so that the broker would not take it again.
            var gone = known
            gone.standing = .ended
            keep(gone)
        } else if known.standing == .pending, !known.isNear(wanted), known.date.isAhead(of: now) {
            // It would fire at a time at which it is not wanted any more.
            cancelled.append(known)
        } else {
            keep(known)
        }
    }

    /// One that stays as it is known; what a rejected line has left in its place goes.
    private mutating func keep(_ known: PublishedNotification) {
        var known = known
        if known.standing != .pending, known.replacesAnother {
            if !clears { cancelled.append(known) }
            known.replacesAnother = false
        }
        published.append(known)
    }
}

extension PublishedNotification {
    /// Whether something may be pending under its id: it, or what it should have replaced.
    var mayBePending: Bool { standing == .pending || replacesAnother }

    /// Whether its dates differ from what is wanted by no more than the margin.
    func isNear(_ wanted: WantedNotification) -> Bool {
        let margin = UInt64(max(0, wanted.marginMilliseconds))
        let isDateNear =
            switch (date, wanted.date) {
            case (.at(let left), .at(let right)): Self.distance(left.milliseconds, right.milliseconds) <= margin
            case (.wall(let left), .wall(let right)): Self.distance(left, right) <= margin
            default: false
            }
        return isDateNear && Self.distance(expires.milliseconds, wanted.expires.milliseconds) <= margin
    }

    private static func distance(_ left: Int64, _ right: Int64) -> UInt64 {
        // The difference of two signed numbers, taken modulo 2^64, is right when it is not negative.
        left > right ? UInt64(bitPattern: left &- right) : UInt64(bitPattern: right &- left)
    }
}

extension WantedDate {
    /// UTC−12: the clocks that reach a wall time last.
    private static let latestClockMilliseconds: Int64 = 12 * 3_600_000

    /// Whether it is still to come, somewhere on Earth.
    func isAhead(of now: Instant) -> Bool { latest > now }

    /// When it has come everywhere.
    var latest: Instant {
        switch self {
        case .at(let instant): instant
        case .wall(let milliseconds): Instant(milliseconds: milliseconds).advanced(by: Self.latestClockMilliseconds)
        }
    }
}

extension WantedNotification {
    /// A hash of what its line says beside the id and the dates. The same in every process.
    var substance: UInt64 {
        var hash: UInt64 = overdue == .deliver ? 1 : 0
        hash = hash << 8 | UInt64(content.interruptionLevel.rawValue)
        hash = hash << 8 | (content.relevanceScore == nil ? 0 : 1)
        hash ^= content.relevanceScore?.bitPattern ?? 0
        // Two kinds of dates make two lines.
        if case .wall = date { hash ^= 1 << 63 }
        for text in [
            type, content.title, content.subtitle, content.body, content.category, content.threadId, content.sound,
        ] { hash = Self.hash(text, hash) }
        // In any order: a dictionary has none.
        var pairs: UInt64 = 0
        for (name, text) in content.userInfo { pairs &+= Self.hash(text, Self.hash(name, 0)) }
        return withUnsafeBytes(of: pairs) { ByteHash.hash($0, seed: hash) }
    }

    private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
        var text = text
        return text.withUTF8 { ByteHash.hash(UnsafeRawBufferPointer($0), seed: seed) }
    }
}
