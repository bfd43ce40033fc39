import RationModel
import RationStore
import RationWire

/// A batch that was decided, and not yet committed.
struct Decided {
    /// To be committed before anything of `telling` is told; nil when there is nothing to keep.
    var commit: Commit?
    /// Not yet in the commit: some of their contents stand in the store.
    var events = EventBuffer()
    var telling: Telling

    /// Whether committing it takes hardly longer than its sync: also the checkpoint's share of it is small.
    var isSmall: Bool {
        let rows = telling.tally.intents + events.count + (commit?.records.count ?? 0) + (commit?.moves.count ?? 0)
        return rows <= 64
    }
}

extension Commit {
    /// Adds the events of the batch as a row, with their contents.
    /// - Throws: what the store throws for a content that it cannot give: the batch cannot be committed.
    mutating func addEvents(_ events: EventBuffer, from store: any Store) throws {
        guard events.count > 0 else { return }
        self.events = try EventRow.pack(events, firstSequence: firstSequence, batch: batch, now: now) {
            try store.content(at: $0, count: $1, before: self)
        }
    }
}

/// What may be told of a batch once it is committed.
struct Telling {
    /// The batch that must be committed first; 0 for what waits for none.
    var batch: UInt64
    var answers: [Answer] = []
    /// The sequence number of the last event up to this batch.
    var lastSequence: UInt64 = 0
    /// Recipients that are still planned under an earlier revision then.
    var replanBacklog = 0
    /// Requests that came twice before their number was committed.
    var repeated: [PublishRequest] = []
    var tally = BatchTally()
}

/// What a batch adds to the counters.
struct BatchTally {
    var now = Instant.distantPast
    var batches = 0
    var intents = 0
    var recipients = 0
    var outcomes = BrokerCounters.Outcomes()
    var events = BrokerCounters.Events()
    /// Of the intents of which a category did not match, their apps.
    var categories: [(kind: IntentWarning.Kind, app: String)] = []
}

extension BrokerCounters {
    mutating func add(_ tally: BatchTally) {
        guard tally.batches > 0 else { return }
        now = tally.now
        batches += tally.batches
        intents += tally.intents
        recipients = tally.recipients
        for outcome in Outcome.allCases { outcomes[outcome] += tally.outcomes[outcome] }
        for kind in EventKind.allCases { events[kind] += tally.events[kind] }
        for mismatch in tally.categories { categories.add(mismatch.kind, app: mismatch.app) }
    }
}
