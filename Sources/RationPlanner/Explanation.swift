public import RationModel

/// Why a pending notification stands where it does: what the plan decided about it, step by step.
public struct Explanation: Sendable {
    /// Where its type comes from.
    public enum TypeSource: Hashable, Sendable {
        /// The intent named it.
        case intent
        /// The longest prefix of the policy with which its id begins.
        case prefix(String)
        /// Neither: the type `unknown`.
        case unknown
    }

    public enum TriggerKind: String, Sendable {
        case at, after, every, calendar
    }

    /// Why no rule moves it.
    public enum Exemption: String, Sendable {
        case repeating, keepsTime
    }

    /// Another notification of the recipient, and the date that counts.
    public struct Neighbour: Hashable, Sendable {
        public var id: String
        public var date: Instant
        /// Whether it has fired; else it is pending.
        public var hasFired: Bool
    }

    /// One move of its date by a rule.
    public struct Move: Hashable, Sendable {
        public var from: Instant
        public var to: Instant
        /// The rule's path in the policy, `caps[1]`.
        public var rule: String
        /// The rule's words.
        public var reason: String
        /// Those that count for the rule and are near enough to `to` to forbid what lies before it, by date.
        public var beside: [Neighbour]
    }

    /// What its type's quota says of the device's slots.
    public struct Share: Hashable, Sendable {
        /// The quota's key in the policy.
        public var quota: String
        public var minimum: Int?
        public var maximum: Int?
        /// How many of its kind have a slot.
        public var held: Int
    }

    public var app: String
    public var device: String
    public var id: String
    /// As classified.
    public var type: String
    public var typeSource: TypeSource
    public var priority: Int
    /// The path in the policy that gives the priority: `types.habit.priority` or `unknownPriority`.
    public var prioritySource: String
    public var trigger: TriggerKind
    /// The recipient's time zone.
    public var timeZone: String
    public var requestedDate: Instant
    /// Where it would stand if no rule moved it: the requested date, or now when that has passed.
    public var unmovedDate: Instant
    /// nil for one that rules bind.
    public var exemption: Exemption?
    /// In the order in which the rules moved it; of many the first eight and the last eight.
    public var moves: [Move] = []
    /// How many moves between the eighth and the last eight are left out.
    public var omittedMoves = 0
    public var fireDate: Instant
    public var isHeld: Bool
    /// Its place in the policy's order, from 1.
    public var rank: Int
    /// How many are pending.
    public var count: Int
    /// The device's slots.
    public var slots: Int
    /// The policy's order.
    public var order: String
    /// nil for a type without a quota.
    public var share: Share?
    /// For one that waits: the last of those that have a slot, at most three, the last one first.
    public var displacedBy: [Neighbour] = []
    /// For one that waits: the largest priority number with which it would have a slot; nil if none would do.
    public var priorityThatHolds: Int?
    /// For one that waits: the latest requested date with which it would have a slot, of those beside which it is decided;
    /// nil if none would do.
    public var dateThatHolds: Instant?
}
