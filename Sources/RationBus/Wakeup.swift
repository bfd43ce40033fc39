internal import CLinux
internal import Glibc

/// Wakes the thread that waits in a ``Poller``: an eventfd. Signals that arrive before the owner looks are one.
public final class Wakeup: Sendable {
    /// For ``Poller/add(fileDescriptor:_:)``; readable while a signal waits.
    public let fileDescriptor: Int32

    /// - Throws: ``ZeroMQError``, `tooManyOpen` if the process has no files left.
    public init() throws(ZeroMQError) {
        fileDescriptor = ration_open_eventfd()
        guard fileDescriptor >= 0 else { throw ZeroMQError(errno, "open an eventfd") }
    }

    deinit {
        close(fileDescriptor)
    }

    /// Wakes the owner; from any thread, never blocks.
    public func signal() {
        var one: UInt64 = 1
        // EAGAIN means that the counter is full: the owner will wake.
        while write(fileDescriptor, &one, 8) < 0, errno == EINTR {}
    }

    /// Takes all signals; to be called before looking at what they announced.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func drain() -> Bool {
        var count: UInt64 = 0
        while true {
            if read(fileDescriptor, &count, 8) == 8 { return true }
            if errno != EINTR { return false }
        }
    }
}
