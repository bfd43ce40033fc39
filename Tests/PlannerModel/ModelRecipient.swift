/// One recipient between batches.
struct ModelRecipient {
    /// An `at` that fired or expired.
    struct Memory {
        var id: Text
        var at: Int64
        var ended: Int64
    }

    var pending: [ModelNotification] = []
    /// What `device` intents have set, beside quiet hours.
    var settings: [Text: Value] = [:]
    var hours = ModelHours.policy
    /// What has fired.
    var fired: [ModelDate] = []
    var remembered: [Memory] = []
    /// Whether an accepted `device` or `schedule` has ever named it.
    var isNamed = false

    var reserved: Int64 { settings["reserved"]?.integer ?? 0 }

    func zoneName(_ policy: ModelPolicy) -> Text {
        settings["timeZone"]?.text ?? policy.timeZone
    }

    func zone(_ policy: ModelPolicy) -> ModelZone {
        guard let zone = ModelZone.named(zoneName(policy)) else { preconditionFailure("an unknown zone was let in") }
        return zone
    }

    /// The recipient's own quiet hours, or the policy's.
    func windows(_ policy: ModelPolicy) -> [ModelWindow] {
        switch hours {
        case .policy: policy.windows
        case .own(let own): own
        }
    }

    /// The quiet hours that bind a notification.
    func quietHours(_ wish: ModelWish, _ policy: ModelPolicy) -> ModelQuietHours {
        let binding = windows(policy).filter { $0.binds(type: wish.type, level: wish.level) }
        return ModelQuietHours(windows: binding, zone: zone(policy))
    }

    func pending(_ id: Text) -> ModelNotification? {
        pending.first { $0.id == id }
    }

    mutating func remove(_ id: Text) {
        pending.removeAll { $0.id == id }
    }

    /// Puts a notification in the place of the one with its id, if there is one.
    mutating func put(_ notification: ModelNotification) {
        remove(notification.id)
        pending.append(notification)
    }

    /// "A recipient remembers the last 256 for 7 days."
    mutating func remember(_ notification: ModelNotification, now: Int64) {
        guard let at = notification.wish.at else { return }
        remembered.append(Memory(id: notification.id, at: at, ended: now))
        remembered = Array(remembered.suffix(256))
    }

    func remembers(_ id: Text, _ at: Int64, now: Int64) -> Bool {
        let sevenDays: Int64 = 7 * 86_400_000
        // "For 7 days": the instant exactly 7 days after is the first that has forgotten.
        return remembered.contains { $0.id == id && $0.at == at && now - $0.ended < sevenDays }
    }
}
