import Glibc
import RationCommandLine
import Testing

@Suite("Signals as data")
struct SignalSourceTests {
    private func isReadable(_ source: SignalSource) -> Bool {
        var request = pollfd(fd: source.fileDescriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, 0) == 1
    }

    @Test("a signal waits until it is taken, once, and interrupts nobody")
    func waits() throws {
        let source = try SignalSource([SIGUSR1, SIGUSR2])
        #expect(source.next() == nil)
        #expect(!isReadable(source))
        // To this thread alone: the process's other threads do not block it.
        pthread_kill(pthread_self(), SIGUSR2)
        #expect(isReadable(source))
        #expect(source.next() == SIGUSR2)
        #expect(source.next() == nil)
        #expect(!isReadable(source))
    }

    @Test("a signal that comes twice is one; two signals are two")
    func merged() throws {
        let source = try SignalSource([SIGUSR1, SIGUSR2])
        for signal in [SIGUSR1, SIGUSR2, SIGUSR1] { pthread_kill(pthread_self(), signal) }
        let taken = [source.next(), source.next()].compactMap { $0 }.sorted()
        #expect(taken == [SIGUSR1, SIGUSR2])
        #expect(source.next() == nil)
    }

    @Test("a number that is no signal is an error")
    func noSignal() {
        let error = #expect(throws: SignalError.self) { try SignalSource([SIGTERM, 1_000]) }
        #expect(error?.code == EINVAL)
    }
}
