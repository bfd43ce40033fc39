public import RationModel

/// What decides where a notification may stand in time: quiet hours and frequency caps are rules, and a third needs no
/// change in the planner (semantics.md sections 3 and 4.2).
///
/// A rule never goes back in time, allows the instant that it has given itself, and gives the same answer to the same
/// question. The planner carries an instant through all rules until each of them allows it. A rule that goes back, that
/// moves an instant 64 times in a row though no other rule has moved it, or that never agrees with another is set aside for
/// that notification, which the decision tells.
public protocol Rule: Sendable {
    /// Its place in the policy, `caps[1]`, or a name of its own: told by explanations and by a decision that sets it aside.
    var path: String { get }

    /// Which fixed dates it looks at.
    var counting: RuleCounting { get }

    /// Fixed dates so many milliseconds or more from an instant do not matter there: for so long what has fired is
    /// remembered. 0 for a rule that looks at none.
    var reachMilliseconds: Int64 { get }

    /// Whether what it forbids a notification beside a date, it forbids the date's owner beside the notification: then a
    /// date that it allows beside all others disturbs none of them, and the others need not be planned again. A rule that
    /// says so never allows beside more dates what it forbids beside fewer.
    var isSymmetric: Bool { get }

    /// Whether it binds notifications of a type and level at all.
    func binds(type: TypeIndex, level: InterruptionLevel) -> Bool

    /// What it keeps of a notification beside its date, for `FixedDate.mark`; asked only of a rule that is not symmetric.
    func mark(of notification: RuledNotification) -> UInt64

    /// What becomes of a notification at an instant.
    /// - Parameters:
    ///   - instant: where the other rules have brought it.
    ///   - zone: the recipient's time zone.
    ///   - dates: the fixed dates that the rule looks at.
    func ruling(
        on notification: RuledNotification, at instant: Instant, in zone: ZoneTable, beside dates: borrowing FixedDates
    ) -> Ruling

    /// The first instant after `instant`, where the rule allows it, at which a notification that is shown must no longer be.
    func end(of notification: RuledNotification, after instant: Instant, until limit: Instant, in zone: ZoneTable)
        -> Instant

    /// Says in words why `ruling` did not allow an instant, for an explanation.
    func reason(_ notification: RuledNotification, at instant: Instant, in zone: ZoneTable) -> String
}

extension Rule {
    public var counting: RuleCounting { .none }
    public var reachMilliseconds: Int64 { 0 }
    public var isSymmetric: Bool { false }
    public func binds(type: TypeIndex, level: InterruptionLevel) -> Bool { true }
    public func mark(of notification: RuledNotification) -> UInt64 { 0 }
    public func end(
        of notification: RuledNotification, after instant: Instant, until limit: Instant, in zone: ZoneTable
    ) -> Instant { limit }
    public func reason(_ notification: RuledNotification, at instant: Instant, in zone: ZoneTable) -> String { path }
}

/// What a rule says of an instant.
public enum Ruling: Hashable, Sendable {
    case allowed
    /// The earliest instant after it that the rule allows.
    case later(Instant)
    /// The notification must go, if no other rule moves it from here.
    case evicted(EventReason)
}

/// Which fixed dates a rule looks at.
public enum RuleCounting: Hashable, Sendable {
    case none
    case all
    /// Those of some types.
    case types(Set<TypeIndex>)
}

/// The place of a type among those that a policy names; `unnamed` for any other.
public typealias TypeIndex = UInt16

/// What a rule may know of a notification; valid during the call that it is given to.
public struct RuledNotification {
    public let type: TypeIndex
    public let level: InterruptionLevel
    /// The name of its type, for one that the policy does not name; empty stands for `unknown`.
    public let ownType: UnsafeRawBufferPointer
    private let content: UnsafeRawBufferPointer
    private let storedThread: UInt64

    /// - Parameter content: canonical JSON.
    init(
        type: TypeIndex, ownType: UnsafeRawBufferPointer, level: InterruptionLevel, content: UnsafeRawBufferPointer
    ) {
        self.type = type
        self.ownType = ownType
        self.level = level
        self.content = content
        storedThread = 0
    }

    /// One whose content is gone.
    init(type: TypeIndex, ownType: UnsafeRawBufferPointer, level: InterruptionLevel, thread: UInt64) {
        self.type = type
        self.ownType = ownType
        self.level = level
        content = UnsafeRawBufferPointer.none
        storedThread = thread
    }

    /// A number that stands for the content's `threadId`; 0 without one.
    public var thread: UInt64 {
        content.isEmpty ? storedThread : Self.thread(inCanonical: content)
    }

    /// In canonical content `threadId` stands before `userInfo`, and no text holds a quote without a backslash before it.
    static func thread(inCanonical content: UnsafeRawBufferPointer) -> UInt64 {
        let key: StaticString = "\"threadId\":\""
        let end: StaticString = "\"userInfo\":"
        for start in content.indices.dropFirst() where content[start] == UInt8(ascii: "\"") {
            guard content[start - 1] == UInt8(ascii: ",") || content[start - 1] == UInt8(ascii: "{") else { continue }
            let rest = UnsafeRawBufferPointer(rebasing: content[start...])
            if rest.starts(with: UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)) { return 0 }
            guard rest.starts(with: UnsafeBufferPointer(start: key.utf8Start, count: key.utf8CodeUnitCount)) else {
                continue
            }
            var close = key.utf8CodeUnitCount
            while close < rest.count, rest[close] != UInt8(ascii: "\"") {
                close += rest[close] == UInt8(ascii: "\\") ? 2 : 1
            }
            let text = UnsafeRawBufferPointer(rebasing: rest[key.utf8CodeUnitCount..<min(close, rest.count)])
            return ByteHash.hash(text, seed: 0) | 1
        }
        return 0
    }
}

/// Where a policy's rules come from: one plugin.
public protocol RuleSource: Sendable {
    static var name: String { get }

    /// The part of a device's settings that changes what the rules are for it; nil if none does. Devices of which it is the
    /// same share their rules.
    func part(of settings: DeviceSettings) -> DeviceSettings?

    /// The rules that a policy asks for.
    /// - Parameters:
    ///   - types: the places of the policy's types.
    ///   - device: the part of a device's settings that changes them; nil for the rules of all others.
    func rules(of policy: Policy, types: PolicyTypes, device: DeviceSettings?) -> [any Rule]
}

extension RuleSource {
    public func part(of settings: DeviceSettings) -> DeviceSettings? { nil }
}
