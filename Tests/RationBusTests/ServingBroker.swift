import Foundation
import RationBus
import Synchronization
import Testing

/// A fake broker with a thread of its own that answers each request as a test says.
final class ServingBroker: Sendable {
    let endpoint: String
    private let wakeup: Wakeup
    private let ended = DispatchSemaphore(value: 0)

    init(_ serve: @escaping @Sendable (FakeBroker, FakeRequest, _ count: Int) throws -> Void) throws {
        let wakeup = try Wakeup()
        let ended = ended
        let started = DispatchSemaphore(value: 0)
        let endpoint = Mutex("")
        Thread.detachNewThread {
            defer { ended.signal() }
            do {
                let broker = try FakeBroker(in: Context())
                endpoint.withLock { $0 = broker.endpoint }
                started.signal()
                var count = 0
                while try !broker.wait(or: wakeup) {
                    try broker.receive()
                    while let request = broker.take() {
                        count += 1
                        try serve(broker, request, count)
                    }
                }
            } catch {
                Issue.record(error)
                started.signal()
            }
        }
        started.wait()
        self.wakeup = wakeup
        self.endpoint = endpoint.withLock { $0 }
    }

    func stop() {
        wakeup.signal()
        ended.wait()
    }
}
