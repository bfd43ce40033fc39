import RationModel
import RationPlanner

/// Follows every notification under two policies and compares what becomes of each wish, a notification with one
/// requested date. It keeps those that are pending, and those that have ended under one policy only.
struct FateLedger {
    /// What becomes of a wish under one policy.
    private struct Wish {
        var requestedDate: Instant
        var fate: Fate
    }

    private struct Story {
        var pending: Wish?
        /// Ended, and not yet under the other policy; oldest first.
        var ended: [Wish] = []

        var isOver: Bool { pending == nil && ended.isEmpty }
    }

    /// By `app`, `device` and `id`, with a 0 between.
    private var stories: [[UInt8]: Pair<Story>] = [:]
    private var groups: [FateChange: PolicyDifference.Group] = [:]
    private(set) var compared = 0
    private(set) var differing = 0
    private let exampleLimit: Int

    /// - Parameter examples: kept of each way in which fates differ.
    init(examples: Int) {
        exampleLimit = examples
    }

    mutating func add(_ decision: Decision, _ side: Side) {
        let events = decision.events
        for event in events.events {
            let recipient = events.recipients[Int(event.recipient)]
            var key = events.bytes.with(recipient.app) { Array($0) }
            for part in [recipient.device, event.id] {
                key.append(0)
                events.bytes.with(part) { key.append(contentsOf: $0) }
            }
            add(event, at: decision.now, of: key, side)
        }
    }

    private mutating func add(_ event: Event, at now: Instant, of key: [UInt8], _ side: Side) {
        var stories = self.stories[key] ?? Pair(a: Story(), b: Story())
        if let pending = stories[side].pending, pending.requestedDate != event.requestedDate {
            let fate = Fate(kind: .replaced, at: now, fireDate: pending.fate.fireDate)
            stories[side].pending = nil
            end(Wish(requestedDate: pending.requestedDate, fate: fate), side, key, &stories)
        }
        let kind = Fate.Kind(event)
        let fate = Fate(kind: kind, reason: event.fateReason, at: now, fireDate: event.fireDate)
        let wish = Wish(requestedDate: event.requestedDate, fate: fate)
        if kind == .held || kind == .queued {
            stories[side].pending = wish
        } else {
            stories[side].pending = nil
            end(wish, side, key, &stories)
        }
        self.stories[key] = stories.a.isOver && stories.b.isOver ? nil : stories
    }

    /// Compares a wish that has ended with the same one under the other policy, or keeps it for that.
    private mutating func end(_ wish: Wish, _ side: Side, _ key: [UInt8], _ stories: inout Pair<Story>) {
        let place = stories[side.other].ended.firstIndex { $0.requestedDate == wish.requestedDate }
        guard let place else {
            stories[side].ended.append(wish)
            return
        }
        let other = stories[side.other].ended.remove(at: place)
        var fates = Pair(a: wish.fate, b: wish.fate)
        fates[side.other] = other.fate
        compare(fates, wish.requestedDate, of: key)
    }

    private mutating func compare(_ fates: Pair<Fate>, _ requestedDate: Instant, of key: [UInt8]) {
        compared += 1
        guard !fates.a.isLike(fates.b) else { return }
        differing += 1
        let change = FateChange(fates)
        var group = groups[change] ?? PolicyDifference.Group(change: change, count: 0, examples: [])
        group.count += 1
        if group.examples.count < exampleLimit {
            let names = key.split(separator: 0, maxSplits: 2).map { String(decoding: $0, as: UTF8.self) }
            group.examples.append(
                DifferingFate(
                    app: names[0], device: names[1], id: names[2], requestedDate: requestedDate, fates: fates))
        }
        groups[change] = group
    }

    /// Compares what is pending or has ended under one policy only.
    /// - Returns: how many are held and how many queued under each.
    mutating func finish() -> (held: Pair<Int>, queued: Pair<Int>) {
        var held = Pair(a: 0, b: 0)
        var queued = Pair(a: 0, b: 0)
        for (key, entry) in stories.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            var entry = entry
            for side in Side.allCases {
                guard let pending = entry[side].pending else { continue }
                if pending.fate.kind == .held { held[side] += 1 } else { queued[side] += 1 }
                end(pending, side, key, &entry)
            }
            for wish in entry.a.ended { compare(Pair(a: wish.fate, b: .absent), wish.requestedDate, of: key) }
            for wish in entry.b.ended { compare(Pair(a: .absent, b: wish.fate), wish.requestedDate, of: key) }
        }
        stories = [:]
        return (held, queued)
    }

    /// The ways in which fates differ, the most frequent first.
    var sortedGroups: [PolicyDifference.Group] {
        groups.values.sorted {
            $0.count == $1.count
                ? Self.rank($0.change).lexicographicallyPrecedes(Self.rank($1.change)) : $0.count > $1.count
        }
    }

    private static func rank(_ change: FateChange) -> [Int] {
        func place(_ kind: Fate.Kind) -> Int { Fate.Kind.allCases.firstIndex(of: kind) ?? 0 }
        let reasons = [change.reasons.a, change.reasons.b].map { Int($0.rawValue) }
        return [place(change.kinds.a), place(change.kinds.b)] + reasons + [change.shift.rawValue]
    }
}

extension Fate.Kind {
    /// What an event says of its notification.
    fileprivate init(_ event: Event) {
        switch event.kind {
        case .due: self = .due
        case .expired: self = .expired
        case .cancelled: self = .cancelled
        case .evicted: self = event.isFinal == true ? .evicted : .queued
        case .queued: self = .queued
        case .accepted: self = .held
        case .delivered, .opened, .dismissed, .action, .failed:
            preconditionFailure("the planner tells no '\(event.kind.name)'")
        }
    }
}

extension Event {
    /// Why the fate is one: what lost its slot and waits is queued like any other.
    fileprivate var fateReason: EventReason {
        kind == .evicted && isFinal != true ? .none : reason
    }
}
