import Foundation
import Synchronization

/// Work in a thread of its own, until it is told to stop.
final class Worker: Sendable {
    private let stops = Atomic(false)
    private let failure = Mutex<(any Error)?>(nil)
    private let ended = DispatchSemaphore(value: 0)

    /// - Parameter work: ends soon after `isStopping` has become true.
    init(_ work: @escaping @Sendable (Worker) throws -> Void) {
        Thread.detachNewThread { [self] in
            do {
                try work(self)
            } catch {
                failure.withLock { $0 = error }
            }
            ended.signal()
        }
    }

    var isStopping: Bool { stops.load(ordering: .acquiring) }

    /// Waits for the end; to be called once.
    /// - Throws: what the work has thrown.
    func stop() throws {
        stops.store(true, ordering: .releasing)
        ended.wait()
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
