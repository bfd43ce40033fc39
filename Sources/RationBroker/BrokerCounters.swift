import RationModel

/// What has happened since the broker started; every number is of committed batches.
struct BrokerCounters: Sendable {
    /// Counts by outcome.
    struct Outcomes: Sendable {
        private var counts = InlineArray<128, Int>(repeating: 0)

        subscript(outcome: Outcome) -> Int {
            // A letter is below 128.
            get { counts[Int(outcome.rawValue)] }
            set { counts[Int(outcome.rawValue)] = newValue }
        }
    }

    /// Counts by kind.
    struct Events: Sendable {
        private var counts = InlineArray<16, Int>(repeating: 0)

        subscript(kind: EventKind) -> Int {
            // There are eleven kinds, numbered from 0.
            get { counts[Int(kind.rawValue)] }
            set { counts[Int(kind.rawValue)] = newValue }
        }
    }

    /// The last batch's instant.
    var now = Instant.distantPast
    var batches = 0
    var requests = 0
    /// Requests that were sent again and got their kept answer.
    var repetitions = 0
    /// Requests that were refused as a whole.
    var refusals = 0
    var intents = 0
    var recipients = 0
    /// The revisions in force.
    var policyRevision: UInt64 = 0
    var zonesRevision: UInt64 = 0
    /// 0 as long as no categories have been declared.
    var categoriesRevision: UInt64 = 0
    /// Recipients that are still planned under an earlier revision.
    var replanBacklog = 0
    var outcomes = Outcomes()
    var events = Events()
    /// Whether the disk is too full for intents.
    var isFull = false
    /// Jumps of the wall clock, and whether it is believed.
    var clockJumpsForward = 0
    var clockJumpsBackward = 0
    var clockState = ClockGuard.State.trusted
    var categories = CategoryCounters()
    /// Messages that were not the protocol.
    var malformed = 0
    /// Answers that could not be sent, because their client had gone or did not read.
    var answersDropped = 0
    /// Live events that were rendered for subscribers.
    var published = 0
    var connections = ConnectionCounters()
}

/// What has happened on the queries and the admin socket since the broker started.
struct QueryCounters: Equatable, Sendable {
    /// Messages that were not the protocol.
    var malformed = 0
    /// Answers that could not be sent, because their client had gone or did not read.
    var answersDropped = 0
    var connections = ConnectionCounters()
}
