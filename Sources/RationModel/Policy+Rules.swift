/// Weekdays on which a quiet window starts.
public struct WeekdaySet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The words of a policy, Monday first: bit 0 is Monday.
    public static let names: [StaticString] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    public static let all = WeekdaySet(rawValue: 0x7F)
}

/// A set of interruption levels.
public struct LevelSet: OptionSet, Hashable, Sendable, BitwiseCopyable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(_ levels: InterruptionLevel...) {
        self.init(rawValue: levels.reduce(0) { $0 | 1 << $1.rawValue })
    }

    @inlinable
    public func contains(_ level: InterruptionLevel) -> Bool {
        rawValue >> level.rawValue & 1 != 0
    }
}

/// Hours of the recipient's wall clock in which nothing bound is shown (semantics.md section 3, "Quiet hours").
public struct QuietWindow: Hashable, Sendable {
    /// Minutes of the day, 0–1439.
    public var from: Int
    /// Minutes of the day, 0–1440. Up to `from`: over midnight, into the day after the one that it belongs to.
    public var to: Int
    /// The days on which it starts.
    public var days = WeekdaySet.all
    /// The types that it binds; nil: all.
    public var types: [String]?
    /// The levels that it does not bind.
    public var exempt = LevelSet(.timeSensitive, .critical)

    public init(from: Int, to: Int) {
        self.from = from
        self.to = to
    }
}

/// At most `limit` notifications in any stretch shorter than `perMilliseconds` (semantics.md section 3, "Caps").
public struct Cap: Hashable, Sendable {
    /// What becomes of one that would break the cap.
    public enum Overflow: String, CaseIterable, Sendable {
        case move, drop
    }

    public var limit: Int
    public var perMilliseconds: Int64
    /// The types that count and are bound; nil: all.
    public var types: [String]?
    public var overflow = Overflow.move
    /// The levels that are not bound; they count.
    public var exempt = LevelSet(.critical)

    public init(limit: Int, perMilliseconds: Int64) {
        self.limit = limit
        self.perMilliseconds = perMilliseconds
    }
}

/// A number of slots: whole, or a percentage of a device's slots, rounded down.
public enum SlotShare: Hashable, Sendable {
    case slots(Int)
    case percent(Int)

    public func count(of slots: Int) -> Int {
        switch self {
        case .slots(let count): count
        case .percent(let percent): slots * percent / 100
        }
    }
}

/// The slots that a type is guaranteed, and those that it may have at most.
public struct Quota: Hashable, Sendable {
    /// The name of a type; `*` for all types that no other quota names.
    public var type: String
    public var minimum: SlotShare?
    public var maximum: SlotShare?

    public static let others = "*"

    public init(type: String) {
        self.type = type
    }
}
