/// Section 5.1.
extension ModelBatch {
    mutating func apply(_ request: ModelIntent.Request) throws(ModelRejection) {
        switch request {
        case .schedule(let wish): try schedule(wish)
        case .cancelID(let id): cancel(reason: nil) { $0.id == id }
        case .cancelPrefix(let prefix): cancel(reason: nil) { $0.id.hasPrefix(prefix) }
        case .cancelType(let type): cancel(reason: nil) { $0.wish.type == type }
        case .device(let fields): change(fields)
        case .remove:
            cancel(reason: "unregistered") { _ in true }
            if !recipient.settings.isEmpty { isTouched = true }
            recipient.settings = [:]
        case .feedback: break
        }
    }

    private mutating func schedule(_ wish: ModelWish) throws(ModelRejection) {
        if isUnchanged(wish) {
            recipient.isNamed = true
            return
        }
        let requested = try requestedDate(wish)
        recipient.isNamed = true
        isTouched = true
        var new = ModelNotification(
            wish: wish, priority: policy.priority(wish.type), requestedDate: requested, fireDate: requested)
        scheduled.insert(wish.id)
        if let old = recipient.pending(wish.id), untouched.contains(wish.id), old.fireDate <= now {
            // "An id that would fire in this batch": one that waits for a slot would not; it is replaced and starts afresh.
            if isSameDate(wish, old), hasCome(old) {
                new.takePlace(of: old)
                recipient.put(new)
                return
            }
            fire(old)
        }
        untouched.remove(wish.id)
        recipient.put(new)
    }

    /// Whether the intent changes nothing: equal by value with an `at`, or an `at` that fired or expired already.
    private func isUnchanged(_ wish: ModelWish) -> Bool {
        guard let at = wish.at else { return false }
        if let stored = recipient.pending(wish.id) { return stored.wish == wish }
        return recipient.remembers(wish.id, at, now: now)
    }

    private func isSameDate(_ wish: ModelWish, _ old: ModelNotification) -> Bool {
        wish.at != nil && wish.at == old.wish.at
    }

    private func requestedDate(_ wish: ModelWish) throws(ModelRejection) -> Int64 {
        let requested: Int64
        let horizon = now + 3653 * 86_400_000
        switch wish.trigger {
        case .empty: throw ModelRejection("trigger.empty")
        case .unsupported: throw ModelRejection("trigger.unsupported")
        case .at(let date):
            if now - date > policy.grace && !wish.delivers { throw ModelRejection("trigger.past") }
            requested = max(date, now)
        case .after(let seconds):
            guard seconds > 0 else { throw ModelRejection("trigger.interval") }
            requested = seconds > 1e9 ? .max : now + Self.milliseconds(seconds)
        case .every(let seconds):
            guard seconds >= 60 else { throw ModelRejection("trigger.interval") }
            requested = seconds > 1e9 ? .max : now + Self.milliseconds(seconds)
        }
        if requested > horizon { throw ModelRejection("trigger.tooFar") }
        if let expires = wish.expires, expires <= requested { throw ModelRejection("expires.beforeFire") }
        return requested
    }

    /// To the nearest millisecond, halves up.
    static func milliseconds(_ seconds: Double) -> Int64 {
        Int64((seconds * 1000).rounded(.toNearestOrAwayFromZero))
    }

    private mutating func cancel(reason: String?, _ isMeant: (ModelNotification) -> Bool) {
        for notification in recipient.pending where isMeant(notification) {
            recipient.remove(notification.id)
            untouched.remove(notification.id)
            scheduled.remove(notification.id)
            isTouched = true
            guard let old = wasPending(notification.id) else { continue }
            events.append(ModelEvent(kind: .cancelled, notification: old, reason: reason, isFinal: true))
            ended.insert(notification.id)
        }
    }

    private mutating func change(_ fields: [Value.Member]) {
        recipient.isNamed = true
        let old = recipient.settings
        for field in fields where field.value != .null {
            recipient.settings[field.key] = field.key == "token" && field.value == "" ? nil : field.value
        }
        if Self.resolved(recipient.settings) != Self.resolved(old) { isTouched = true }
    }

    /// Only what differs has changed something: telling what holds anyway, the default, does not.
    private static func resolved(_ settings: [Text: Value]) -> [Text: Value] {
        settings.merging(["reserved": 0, "delivery": "push"]) { told, _ in told }
    }
}
