import RationBus
import RationStore
import Synchronization

/// Batches on their way from the deciding thread to the committing one, and how far the latter is.
final class CommitQueue: Sendable {
    private struct State {
        /// Oldest first.
        var waiting: [Decided] = []
        var committed: UInt64
        /// The rows of events that were committed and are not yet taken, by batch.
        var rows: [UInt64: [UInt8]] = [:]
        var failure: (any Error)?
        var isStopping = false
    }

    /// Batches that may be under way: while one is synced, the next waits; what comes meanwhile is one larger batch.
    static let limit = 2

    private let state: Mutex<State>
    private let wakeup: Wakeup
    /// Signalled after each commit of the committing thread.
    private let committedWakeup: Wakeup

    /// - Parameters:
    ///   - last: the last batch that is committed.
    ///   - committed: signalled after each commit of the committing thread.
    init(after last: UInt64, committed: Wakeup) throws(ZeroMQError) {
        state = Mutex(State(committed: last))
        wakeup = try Wakeup()
        committedWakeup = committed
    }

    /// The last batch that is committed.
    /// - Throws: what a commit failed with: it may be kept or not, and nothing of it or of later ones may be told.
    func committed() throws -> UInt64 {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            return state.committed
        }
    }

    /// - Parameter decided: with a commit.
    func add(_ decided: consuming Decided) {
        let decided = decided
        state.withLock { $0.waiting.append(decided) }
        wakeup.signal()
    }

    /// Commits a batch on the calling thread when none is under way, so that a small one does not wait for another thread to
    /// wake.
    /// - Parameter decided: with a commit.
    /// - Returns: whether it did; if not, the batch is to be added.
    /// - Throws: what the store throws, now and from then on.
    func commitAtOnce(_ decided: Decided, to store: any Store) throws -> Bool {
        guard let batch = decided.commit?.batch, try committed() + 1 == batch else { return false }
        do {
            try commit(decided, to: store)
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
        return true
    }

    /// The row of events that a batch was committed with, once; empty when it had none.
    func takeEvents(ofBatch batch: UInt64) -> [UInt8] {
        state.withLock { $0.rows.removeValue(forKey: batch) ?? [] }
    }

    /// Lets the committing thread end once nothing waits.
    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    /// The committing thread: commits what is added, in order, until it is stopped or a commit fails.
    func run(_ store: any Store) throws {
        do {
            try commitAll(to: store)
        } catch {
            state.withLock { $0.failure = error }
            committedWakeup.signal()
            throw error
        }
    }

    private func commitAll(to store: any Store) throws {
        var poller = Poller()
        _ = poller.add(fileDescriptor: wakeup.fileDescriptor)
        while true {
            let (next, isStopping) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isStopping)
            }
            guard let next else {
                if isStopping { return }
                try poller.wait(milliseconds: -1)
                wakeup.drain()
                continue
            }
            try commit(next, to: store)
            committedWakeup.signal()
        }
    }

    private func commit(_ decided: consuming Decided, to store: any Store) throws {
        guard var commit = decided.commit.take() else { return }
        try commit.addEvents(decided.events, from: store)
        let (batch, row) = (commit.batch, commit.events)
        try store.commit(commit)
        state.withLock { state in
            state.committed = batch
            if !row.isEmpty { state.rows[batch] = row }
        }
    }
}
