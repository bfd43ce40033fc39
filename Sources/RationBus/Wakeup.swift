internal import Glibc

/// Wakes the thread that waits in a ``Poller``. Signals that arrive before the owner looks are one.
///
/// It is a pair of connected sockets: the Glibc module has neither eventfd nor pipe2.
public final class Wakeup: Sendable {
    /// For ``Poller/add(fileDescriptor:_:)``; readable while a signal waits.
    public let fileDescriptor: Int32
    private let signalled: Int32

    /// - Throws: ``ZeroMQError``, `tooManyOpen` if the process has no files left.
    public init() throws(ZeroMQError) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw ZeroMQError(errno, "open a pair of sockets") }
        fileDescriptor = ends[0]
        signalled = ends[1]
    }

    deinit {
        close(fileDescriptor)
        close(signalled)
    }

    /// Wakes the owner; from any thread, never blocks.
    public func signal() {
        var byte: UInt8 = 1
        // EAGAIN means that the pair is full of signals: the owner will wake.
        while write(signalled, &byte, 1) < 0, errno == EINTR {}
    }

    /// Takes all signals; to be called before looking at what they announced.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    public func drain() -> Bool {
        var found = false
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { bytes in
                read(fileDescriptor, bytes.baseAddress, bytes.count)
            }
            if count > 0 { found = true }
            // A short read has emptied the pair.
            if count < 256, count >= 0 || errno != EINTR { return found }
        }
    }
}
