import RationBus
import RationStore
import Synchronization

/// Batches on their way from the deciding thread to the committing one, and how far the latter is.
final class CommitQueue: Sendable {
    private struct State {
        /// Oldest first.
        var waiting: [Commit] = []
        var committed: UInt64
        var failure: (any Error)?
        var isStopping = false
    }

    /// Batches that may be under way: while one is synced, the next waits; what comes meanwhile is one larger batch.
    static let limit = 2

    private let state: Mutex<State>
    private let wakeup: Wakeup
    /// Signalled after each commit.
    private let committedWakeup: Wakeup

    /// - Parameters:
    ///   - last: the last batch that is committed.
    ///   - committed: signalled after each commit.
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

    func add(_ commit: consuming Commit) {
        let commit = commit
        state.withLock { $0.waiting.append(commit) }
        wakeup.signal()
    }

    /// Lets the committing thread end once nothing waits.
    func stop() {
        state.withLock { $0.isStopping = true }
        wakeup.signal()
    }

    /// The committing thread: commits what is added, in order, until it is stopped or a commit fails.
    func run(_ store: any Store) throws {
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
        }
    }

    private func commit(_ commit: consuming Commit, to store: any Store) throws {
        let batch = commit.batch
        do {
            try store.commit(commit)
        } catch {
            state.withLock { $0.failure = error }
            committedWakeup.signal()
            throw error
        }
        state.withLock { $0.committed = batch }
        committedWakeup.signal()
    }
}
