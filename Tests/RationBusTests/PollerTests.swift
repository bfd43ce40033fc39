import Foundation
import RationBus
import Synchronization
import Testing

/// Counts the signals that a test has sent itself.
private let signalCount = Atomic<Int>(0)

@Suite("Waiting", .serialized)
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
        try underSignals {
            let pair = try Pair()
            var poller = Poller()
            _ = try poller.add(pair.router)
            // On a busy machine the signals may miss a wait altogether; that one proves nothing.
            var signals = 0
            for _ in 0..<50 where signals == 0 {
                let before = signalCount.load(ordering: .relaxed)
                let begin = ContinuousClock.now
                #expect(try poller.wait(milliseconds: 100) == 0)
                #expect(begin.duration(to: .now) >= .milliseconds(100))
                signals = signalCount.load(ordering: .relaxed) - before
            }
            #expect(signals > 0)
        }
    }

    @Test("signals disturb no other call")
    func undisturbed() throws {
        try underSignals {
            for _ in 0..<50 {
                let pair = try Pair()
                let monitor = try SocketMonitor(pair.router, in: pair.context)
                #expect(try pair.router.send([pair.routingID, bytes("hello")]) == .sent)
                #expect(try pair.dealer.nextMessage() == ["hello"])
                try pair.dealer.disconnect(pair.endpoint)
                try monitor.drain()
            }
        }
    }

    /// Runs a body in whose thread one signal follows the other.
    private func underSignals(_ body: () throws -> Void) rethrows {
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
        defer {
            isOver.value = true
            stopped.wait()
        }
        try body()
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
