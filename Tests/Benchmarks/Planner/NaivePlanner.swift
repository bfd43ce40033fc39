import RationModel

/// A `schedule` as an ordinary program holds it.
struct NaiveIntent {
    var device: String
    var id: String
    var type: String
    var content: String
    var date: Instant
}

final class NaiveNotification {
    let id: String
    let type: String
    let priority: Int
    let content: String
    let date: Instant
    var isHeld = false

    init(_ intent: NaiveIntent, priority: Int) {
        id = intent.id
        type = intent.type
        self.priority = priority
        content = intent.content
        date = intent.date
    }
}

struct NaiveEvent {
    var kind: EventKind
    var cause = EventCause.none
    var reason = EventReason.none
    var isFinal: Bool?
    var notification: NaiveNotification
}

final class NaiveRecipient {
    var pending: [String: NaiveNotification] = [:]
}

/// The contract without rules as one would write it first: objects by their ids, all of a recipient's sorted for each
/// intent, and the difference of before and after as events. It knows schedules with dates ahead of now.
final class NaivePlanner {
    private let slots: Int
    private let queueLimit: Int
    private let priorities: [String: Int]
    private let unknownPriority: Int
    private var recipients: [String: NaiveRecipient] = [:]

    init(_ policy: Policy) {
        slots = policy.slots
        queueLimit = policy.queueLimit
        unknownPriority = policy.unknownPriority
        priorities = Dictionary(
            uniqueKeysWithValues: policy.types.map { ($0.name, $0.priority ?? policy.unknownPriority) })
    }

    /// Schedules many at once; their events are not told.
    func fill(_ intents: [NaiveIntent]) {
        for intent in intents { recipient(intent.device).pending[intent.id] = notification(intent) }
        for device in Set(intents.map(\.device)) { hold(sorted(recipient(device))) }
    }

    /// Decides one intent.
    /// - Returns: its events, in their order.
    func decide(_ intent: NaiveIntent) -> [NaiveEvent] {
        let recipient = recipient(intent.device)
        let old = recipient.pending[intent.id]
        if let old, old.date == intent.date, old.type == intent.type, old.content == intent.content { return [] }
        let wasHeld = recipient.pending.mapValues(\.isHeld)
        let new = notification(intent)
        recipient.pending[intent.id] = new
        var pending = sorted(recipient)
        hold(pending)
        var events = removeExcess(&pending, of: recipient)
        events += pending.compactMap { difference($0, wasHeld: wasHeld[$0.id], isReplaced: $0 === new && old != nil) }
        return events.sorted(by: precedes)
    }

    private func recipient(_ device: String) -> NaiveRecipient {
        if let known = recipients[device] { return known }
        let recipient = NaiveRecipient()
        recipients[device] = recipient
        return recipient
    }

    private func notification(_ intent: NaiveIntent) -> NaiveNotification {
        NaiveNotification(intent, priority: priorities[intent.type] ?? unknownPriority)
    }

    private func sorted(_ recipient: NaiveRecipient) -> [NaiveNotification] {
        recipient.pending.values.sorted(by: precedes)
    }

    private func hold(_ pending: [NaiveNotification]) {
        for (place, notification) in pending.enumerated() { notification.isHeld = place < slots }
    }

    private func removeExcess(_ pending: inout [NaiveNotification], of recipient: NaiveRecipient) -> [NaiveEvent] {
        let excess = pending.count - slots - queueLimit
        guard excess > 0 else { return [] }
        let queued = pending.dropFirst(slots).sorted { left, right in
            left.priority == right.priority ? precedes(left, right) : left.priority < right.priority
        }
        let removed = queued.suffix(excess)
        for notification in removed { recipient.pending[notification.id] = nil }
        pending.removeAll { notification in removed.contains { $0 === notification } }
        return removed.map { NaiveEvent(kind: .evicted, reason: .queueFull, isFinal: true, notification: $0) }
    }

    private func difference(_ after: NaiveNotification, wasHeld: Bool?, isReplaced: Bool) -> NaiveEvent? {
        let kind: EventKind = after.isHeld ? .accepted : .queued
        guard let wasHeld else { return NaiveEvent(kind: kind, cause: .new, notification: after) }
        if wasHeld && !after.isHeld {
            return NaiveEvent(kind: .evicted, reason: .slots, isFinal: false, notification: after)
        }
        if isReplaced { return NaiveEvent(kind: kind, cause: .replaced, notification: after) }
        return after.isHeld && !wasHeld ? NaiveEvent(kind: .accepted, cause: .promoted, notification: after) : nil
    }

    private func precedes(_ left: NaiveNotification, _ right: NaiveNotification) -> Bool {
        if left.date != right.date { return left.date < right.date }
        if left.priority != right.priority { return left.priority < right.priority }
        return left.id < right.id
    }

    private func precedes(_ left: NaiveEvent, _ right: NaiveEvent) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        return precedes(left.notification, right.notification)
    }
}

extension NaiveEvent: CustomStringConvertible {
    var description: String {
        ToldEvent(
            kind: "\(kind)", cause: "\(cause)", reason: "\(reason)", id: notification.id, fireDate: notification.date,
            isFinal: isFinal
        ).description
    }
}
