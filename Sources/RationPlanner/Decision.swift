public import RationModel

/// What one batch came to.
public struct Decision: Sendable {
    /// What is told of one intent beside its outcome.
    public struct Problem: Sendable {
        /// Place among the batch's intents.
        public var intent: Int
        public var rejection: Rejection

        public init(intent: Int, rejection: Rejection) {
            self.intent = intent
            self.rejection = rejection
        }
    }

    /// A rule that was set aside.
    public struct SetAside: Hashable, Sendable {
        /// Its path.
        public var rule: String
        /// `app/device`.
        public var recipient: String
    }

    /// The batch's instant: never before an earlier batch's.
    public var now = Instant.distantPast
    /// In the order in which they are published.
    public var events = EventBuffer()
    /// One for each intent, in the batch's order.
    public var outcomes: ContiguousArray<Outcome> = []
    /// In the order of the intents.
    public var problems: [Problem] = []
    /// What is told of intents that were applied, in their order: categories that their devices have not registered.
    public var warnings: [IntentWarning] = []
    /// Rules that were set aside for a notification, as they went back in time or did not settle.
    public var setAside: [SetAside] = []
    /// How many recipients the batch touched.
    public var touchedRecipients = 0

    public init() {}

    mutating func begin(intents: Int, now: Instant) {
        self.now = now
        events.removeAll()
        outcomes.removeAll(keepingCapacity: true)
        outcomes.append(contentsOf: repeatElement(.done, count: intents))
        problems.removeAll(keepingCapacity: true)
        warnings.removeAll(keepingCapacity: true)
        setAside.removeAll(keepingCapacity: true)
        touchedRecipients = 0
    }

    mutating func reject(_ intent: Int, _ rejection: Rejection) {
        outcomes[intent] = .rejected
        problems.append(Problem(intent: intent, rejection: rejection))
    }
}
