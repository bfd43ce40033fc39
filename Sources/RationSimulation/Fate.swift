public import RationModel

/// What became of one wish: of a notification with one requested date.
public struct Fate: Hashable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        case due, expired, evicted, cancelled
        /// Scheduled again with another requested date before anything else became of it.
        case replaced
        /// Pending at the end of the run.
        case held, queued
        /// Not known: the intent was rejected, or the requested date never came up.
        case absent
    }

    public var kind: Kind
    public var reason = EventReason.none
    /// When it came so; of one that is pending at the end, when its plan was last told.
    public var at: Instant
    /// The fire date that was planned.
    public var fireDate: Instant

    static let absent = Fate(kind: .absent, at: .distantPast, fireDate: .distantPast)

    /// Whether nobody would see a difference: the same end for the same reason, shown at the same instant.
    func isLike(_ other: Fate) -> Bool {
        guard kind == other.kind, reason == other.reason else { return false }
        switch kind {
        case .due: return at == other.at
        case .held, .queued: return fireDate == other.fireDate
        case .expired, .evicted, .cancelled, .replaced, .absent: return true
        }
    }

    /// The date that tells which of two of one kind is the earlier.
    var date: Instant { kind == .due ? at : fireDate }
}

/// One wish whose fate differs.
public struct DifferingFate: Hashable, Sendable {
    public var app: String
    public var device: String
    public var id: String
    public var requestedDate: Instant
    public var fates: Pair<Fate>
}

/// How fates differ, in kind.
public struct FateChange: Hashable, Sendable {
    public enum Shift: Int, Hashable, Sendable {
        case none, earlier, later
    }

    public var kinds: Pair<Fate.Kind>
    public var reasons: Pair<EventReason>
    /// Of two fates of one kind and reason: whether that of B is the earlier or the later one.
    public var shift: Shift

    init(_ fates: Pair<Fate>) {
        kinds = Pair(a: fates.a.kind, b: fates.b.kind)
        reasons = Pair(a: fates.a.reason, b: fates.b.reason)
        let isSame = kinds.a == kinds.b && reasons.a == reasons.b
        shift = isSame ? fates.b.date < fates.a.date ? .earlier : .later : .none
    }
}
