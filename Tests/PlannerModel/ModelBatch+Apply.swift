/// Section 5.1.
extension ModelBatch {
    mutating func apply(_ request: ModelIntent.Request) throws(ModelRejection) {
        switch request {
        case .schedule(let wish): try schedule(wish)
        case .cancelID(let id): cancel(reason: nil) { $0.id == id }
        case .cancelPrefix(let prefix): cancel(reason: nil) { $0.id.hasPrefix(prefix) }
        case .cancelType(let type): cancel(reason: nil) { $0.wish.type == type }
        case .device(let fields, let hours): change(fields, hours)
        case .remove:
            cancel(reason: "unregistered") { _ in true }
            if !recipient.settings.isEmpty || recipient.hours != .policy { isTouched = true }
            recipient.settings = [:]
            recipient.hours = .policy
        case .feedback: break
        }
    }

    private mutating func schedule(_ wish: ModelWish) throws(ModelRejection) {
        if isUnchanged(wish) {
            uses.insert(recipient.pending(wish.id) == nil ? .remembered : .unchanged)
            recipient.isNamed = true
            return
        }
        let requested = try requestedDate(wish)
        recipient.isNamed = true
        isTouched = true
        var new = ModelNotification(
            wish: wish, priority: policy.priority(wish.type), requestedDate: requested, fireDate: requested, began: now)
        scheduled.insert(wish.id)
        if let old = recipient.pending(wish.id), untouched.contains(wish.id), old.fireDate <= now {
            // "An id that would fire in this batch": one that waits for a slot would not; it is replaced and starts afresh.
            if isSameDate(wish, old), hasCome(old) {
                new.takePlace(of: old)
                recipient.put(new)
                uses.insert(.editedInPlace)
                return
            }
            if hasCome(old) { uses.insert(.firedEarly) }
            fire(old)
        }
        untouched.remove(wish.id)
        recipient.put(new)
    }

    /// Whether the intent changes nothing: equal by value with an `at` or `calendar`, or an `at` that fired or expired already.
    private func isUnchanged(_ wish: ModelWish) -> Bool {
        if let stored = recipient.pending(wish.id) {
            if case .calendar = wish.trigger { return stored.wish == wish }
            return wish.at != nil && stored.wish == wish
        }
        return wish.at.map { recipient.remembers(wish.id, $0, now: now) } ?? false
    }

    private func isSameDate(_ wish: ModelWish, _ old: ModelNotification) -> Bool {
        wish.at != nil && wish.at == old.wish.at
    }

    private func requestedDate(_ wish: ModelWish) throws(ModelRejection) -> Int64 {
        let requested: Int64
        switch wish.trigger {
        case .empty: throw ModelRejection("trigger.empty")
        case .calendar(let calendar):
            if let fault = calendar.fault { throw ModelRejection(fault) }
            guard let next = nextMatch(calendar, after: now) else { throw ModelRejection("trigger.never") }
            requested = next
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
        if requested > now + Self.horizon { throw ModelRejection("trigger.tooFar") }
        if let expires = wish.expires, expires <= requested { throw ModelRejection("expires.beforeFire") }
        return requested
    }

    /// The next match on the clock that the calendar names, or on the recipient's; none further ahead than the horizon.
    func nextMatch(_ calendar: ModelCalendar, after instant: Int64) -> Int64? {
        let zone = calendar.zone.flatMap(ModelZone.named) ?? recipient.zone(policy)
        return calendar.next(after: instant, in: zone, until: now + Self.horizon)
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

    private mutating func change(_ fields: [Value.Member], _ hours: ModelHours?) {
        recipient.isNamed = true
        let (settings, oldHours) = (resolvedSettings, recipient.hours)
        let zone = recipient.zoneName(policy)
        for field in fields where field.value != .null {
            recipient.settings[field.key] = field.key == "token" && field.value == "" ? nil : field.value
        }
        recipient.hours = hours ?? oldHours
        if resolvedSettings != settings || recipient.hours != oldHours { isTouched = true }
        if recipient.zoneName(policy) != zone { matchAgain() }
    }

    /// Only what differs has changed something: telling what holds anyway, the default, does not.
    private var resolvedSettings: [Text: Value] {
        let defaults: [Text: Value] = ["reserved": 0, "delivery": "push", "timeZone": .string(policy.timeZone)]
        return recipient.settings.merging(defaults) { told, _ in told }
    }

    /// "When the recipient's zone changes and the requested date is still ahead, it is matched again."
    private mutating func matchAgain() {
        for floating in recipient.pending where floating.requestedDate > now {
            guard let calendar = floating.wish.floating else { continue }
            let beginning = max(now - policy.grace, floating.began)
            guard let match = nextMatch(calendar, after: beginning), match < floating.wish.expires ?? .max else {
                events.append(ModelEvent(kind: .expired, notification: floating, reason: "never", isFinal: true))
                recipient.remove(floating.id)
                untouched.remove(floating.id)
                ended.insert(floating.id)
                continue
            }
            uses.insert(match > now ? .matchedAgain : .matchedAgainInThePast)
            var matched = floating
            matched.requestedDate = match
            recipient.put(matched)
        }
    }
}
