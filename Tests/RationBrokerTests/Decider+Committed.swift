import RationModel
import RationStore

@testable import RationBroker

/// Each batch committed at once, for tests of what batches come to.
extension Decider {
    mutating func decideAndCommit(clock: Instant, wakeLimit: Int) throws -> Told {
        try commit(decide(clock: clock, wakeLimit: wakeLimit))
    }

    mutating func commit(_ decided: consuming Decided) throws -> Told {
        var events: [UInt8] = []
        if var commit = decided.commit.take() {
            try commit.addEvents(decided.events, from: store)
            events = commit.events
            try store.commit(commit)
        }
        return Told(answers: settle(decided.telling), events: events)
    }
}

/// What is told of a batch.
struct Told {
    var answers: [Answer]
    /// The events' row.
    var events: [UInt8]
}
