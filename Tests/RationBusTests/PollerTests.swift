import Foundation
import RationBus
import Synchronization
import Testing

/// Counts the signals that a test has sent itself.
private let signalCount = Atomic<Int>(0)

@Suite("Waiting")
struct PollerTests {
    @Test("only what is ready is ready")
    func ready() throws {
        let pair = try Pair()
        let wakeup = try Wakeup()
        var poller = Poller()
        let router = try poller.add(pair.router)
        let dealer = try poller.add(pair.dealer, [.readable, .writable])
        let signal = poller.add(fileDescriptor: wakeup.fileDescriptor)
        wakeup.signal()
        #expect(try poller.wait(milliseconds: deadlineMilliseconds) == 2)
        #expect(!poller.isReadable(router))
        #expect(!poller.isReadable(dealer))
        #expect(poller.isWritable(dealer))
        #expect(poller.isReadable(signal))
    }

    @Test("a paused item is not ready, and is again when it goes on")
    func paused() throws {
        let pair = try Pair()
        var poller = Poller()
        let router = try poller.add(pair.router)
        #expect(try pair.dealer.send([bytes("x")]) == .sent)
        #expect(try poller.wait(milliseconds: deadlineMilliseconds) == 1)
        poller.setInterest([], of: router)
        #expect(!poller.isReadable(router))
        #expect(try poller.wait(milliseconds: 20) == 0)
        poller.setInterest(.readable, of: router)
        #expect(try poller.wait(milliseconds: deadlineMilliseconds) == 1)
    }

    @Test("another thread wakes the one that waits; many signals are one")
    func wakes() throws {
        let wakeup = try Wakeup()
        var poller = Poller()
        let index = poller.add(fileDescriptor: wakeup.fileDescriptor)
        Thread.detachNewThread { wakeup.signal() }
        #expect(try poller.wait(milliseconds: -1) == 1)
        #expect(poller.isReadable(index))
        for _ in 0..<100_000 { wakeup.signal() }
        #expect(wakeup.drain())
        #expect(!wakeup.drain())
        #expect(try poller.wait(milliseconds: 0) == 0)
    }

    @Test("signals do not shorten the wait")
    func interrupted() throws {
        signal(SIGUSR1) { _ in signalCount.add(1, ordering: .relaxed) }
        // The test runner's threads block signals.
        var mask = sigset_t()
        sigemptyset(&mask)
        sigaddset(&mask, SIGUSR1)
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        defer { pthread_sigmask(SIG_BLOCK, &mask, nil) }
        let target = pthread_self()
        let isOver = Flag()
        let stopped = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while !isOver.value {
                let before = signalCount.load(ordering: .relaxed)
                pthread_kill(target, SIGUSR1)
                while signalCount.load(ordering: .relaxed) == before, !isOver.value { sched_yield() }
            }
            stopped.signal()
        }
        let pair = try Pair()
        var poller = Poller()
        _ = try poller.add(pair.router)
        let begin = ContinuousClock.now
        let ready = try? poller.wait(milliseconds: 100)
        let time = begin.duration(to: .now)
        isOver.value = true
        stopped.wait()
        #expect(ready == 0)
        #expect(time >= .milliseconds(100))
        #expect(signalCount.load(ordering: .relaxed) > 1)
    }
}

/// A value that two threads share.
private final class Flag: Sendable {
    private let isSet = Atomic<Bool>(false)

    var value: Bool {
        get { isSet.load(ordering: .acquiring) }
        set { isSet.store(newValue, ordering: .releasing) }
    }
}
