/// A pending notification.
struct ModelNotification {
    var wish: ModelWish
    var priority: Int64
    var requestedDate: Int64
    /// As last planned.
    var fireDate: Int64
    /// Its scheduling, or the instant at which it last fired or expired.
    var began: Int64
    var isHeld = false
    /// "The first fire date that passed without its firing".
    var passed: Int64?

    var id: Text { wish.id }

    /// What `grace` is counted from.
    var time: Int64 { passed ?? fireDate }

    /// "Only puts its content in place, and it fires once."
    mutating func takePlace(of old: ModelNotification) {
        requestedDate = old.requestedDate
        fireDate = old.fireDate
        isHeld = old.isHeld
        passed = old.passed
    }

    /// (priority, requested date, id).
    static func placed(_ left: Self, _ right: Self) -> Bool {
        if left.priority != right.priority { return left.priority < right.priority }
        if left.requestedDate != right.requestedDate { return left.requestedDate < right.requestedDate }
        return left.id < right.id
    }

    /// (fire date, priority, id).
    static func soonest(_ left: Self, _ right: Self) -> Bool {
        if left.fireDate != right.fireDate { return left.fireDate < right.fireDate }
        if left.priority != right.priority { return left.priority < right.priority }
        return left.id < right.id
    }

    /// (priority, fire date, id).
    static func mostImportant(_ left: Self, _ right: Self) -> Bool {
        if left.priority != right.priority { return left.priority < right.priority }
        if left.fireDate != right.fireDate { return left.fireDate < right.fireDate }
        return left.id < right.id
    }
}

/// What is told about a notification.
struct ModelEvent {
    enum Kind: Int {
        case due, expired, cancelled, evicted, queued, accepted
    }

    var kind: Kind
    var notification: ModelNotification
    var cause: String?
    var reason: String?
    var isFinal: Bool?

    /// Section 5, "Order of events", within one recipient.
    static func published(_ left: Self, _ right: Self) -> Bool {
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        return ModelNotification.soonest(left.notification, right.notification)
    }
}
