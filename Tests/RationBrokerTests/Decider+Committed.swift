import RationModel
import RationStore

@testable import RationBroker

/// Each batch committed at once, for tests of what batches come to.
extension Decider {
    mutating func decideAndCommit(clock: Instant, wakeLimit: Int) throws -> Telling {
        try commit(decide(clock: clock, wakeLimit: wakeLimit))
    }

    mutating func commit(_ decided: consuming Decided) throws -> Telling {
        var telling = decided.telling
        if let commit = decided.commit { try store.commit(commit) }
        telling.answers = settle(telling)
        return telling
    }
}
