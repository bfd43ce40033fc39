/// One recipient in one batch: section 5, step by step.
struct ModelBatch {
    let policy: ModelPolicy
    let now: Int64
    var recipient: ModelRecipient
    /// What was pending before the batch.
    let before: [ModelNotification]
    /// Ids of what was pending before the batch and has been neither replaced nor fired since.
    var untouched: Set<Text>
    /// Ids of what was pending before the batch and has ended in it.
    var ended: Set<Text> = []
    /// Ids of what was put there by a `schedule` of this batch.
    var scheduled: Set<Text> = []
    /// Ids of repeating ones that fired or expired in this batch and went on.
    var recurred: Set<Text> = []
    /// Whether the recipient is to be planned.
    var isTouched: Bool
    var events: [ModelEvent] = []
    var uses: Set<ModelUse> = []

    /// How far ahead of now a notification may be requested or moved: 3,653 days.
    static let horizon: Int64 = 3653 * 86_400_000

    init(_ recipient: ModelRecipient, policy: ModelPolicy, now: Int64, isWoken: Bool) {
        self.policy = policy
        self.now = now
        self.recipient = recipient
        before = recipient.pending
        untouched = Set(recipient.pending.map(\.id))
        isTouched = isWoken
    }

    func wasPending(_ id: Text) -> ModelNotification? {
        ended.contains(id) ? nil : before.first { $0.id == id }
    }
}

/// A rule that changed something: tests count them, so that generated scenarios cannot silently stop using one.
enum ModelUse: String, CaseIterable {
    case movedByQuiet, movedByCap, movedByCapThenQuiet, guaranteed, passedOver
    case keptBackByQuiet, keptBackByCap, firedEarly, editedInPlace, unchanged, remembered
    case matchedAgain, matchedAgainInThePast
}
