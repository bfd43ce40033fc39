import Foundation
import RationBus
import RationWire
import Synchronization

/// A durable subscriber in a thread of its own: it reads the log by position and keeps its cursor in a file.
final class LogFollower: Sendable {
    private let worker: Worker
    private let progress: Progress

    private final class Progress: Sendable {
        let position: Atomic<UInt64>
        /// Events that were gone before they were read.
        let missed = Atomic<UInt64>(0)

        init(_ position: UInt64) { self.position = Atomic(position) }
    }

    /// The last event that it has.
    var position: UInt64 { progress.position.load(ordering: .relaxed) }
    var missed: UInt64 { progress.missed.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - position: behind which it begins.
    ///   - path: of its cursor.
    init(_ broker: FilledBroker, after position: UInt64, cursor path: String) {
        let (queries, context, progress) = (broker.process.queries, broker.context, Progress(position))
        self.progress = progress
        worker = Worker { worker in
            let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            guard file >= 0 else { throw BenchmarkError("cannot make \(path)") }
            defer { close(file) }
            let reader = PageReader(queries: queries, in: context)
            reader.seek(log: nil, after: position)
            while !worker.isStopping {
                guard case .page(let page) = try reader.next(timeoutMilliseconds: 100) else { continue }
                let before = progress.position.load(ordering: .relaxed)
                let gone = max(page.answer.first, before + 1) - (before + 1)
                progress.missed.wrappingAdd(gone, ordering: .relaxed)
                progress.position.store(page.answer.next, ordering: .relaxed)
                let cursor = "\(page.answer.log) \(page.answer.next)\n"
                guard pwrite(file, cursor, cursor.utf8.count, 0) == cursor.utf8.count else {
                    throw BenchmarkError("cannot write \(path)")
                }
            }
        }
    }

    func stop() throws { try worker.stop() }
}
