internal import CZeroMQ

/// The I/O threads and queues that sockets share; one a process is enough.
///
/// Each ``Socket`` keeps its context alive, so the context ends after its last socket. Ending waits for what the sockets
/// still have to send, at most their ``SocketOptions/lingerMilliseconds``.
public final class Context: Sendable {
    /// libzmq allows every thread to use a context at the same time (zmq_ctx_new(3)); the pointer never changes.
    nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    /// - Parameter ioThreads: threads that move bytes; one does about a gigabyte a second. libzmq blocks all signals in
    ///   them.
    /// - Throws: ``ZeroMQError`` if the process has no memory or no files left.
    public init(ioThreads: Int = 1) throws(ZeroMQError) {
        guard let handle = zmq_ctx_new() else { throw .last("open context") }
        guard zmq_ctx_set(handle, ZMQ_IO_THREADS, Int32(clamping: ioThreads)) == 0 else {
            let error = ZeroMQError.last("set ioThreads")
            zmq_ctx_term(handle)
            throw error
        }
        self.handle = handle
    }

    deinit {
        while zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
    }
}
