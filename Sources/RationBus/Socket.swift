internal import CZeroMQ
internal import Glibc

/// One ZeroMQ socket and its one owning thread.
///
/// The thread that makes a socket owns it; ``adopt()`` hands it to another. A call from any other thread traps, because
/// libzmq would corrupt memory without a word. Sending and receiving never block: wait with a ``Poller``.
///
/// Closing happens in ``close()`` or with the last reference.
public final class Socket {
    public let kind: SocketKind
    /// What libzmq's I/O threads work for this socket; kept until the socket is closed.
    private let context: Context
    private(set) var handle: UnsafeMutableRawPointer?
    private var owner: pthread_t
    /// Whether the last frame that was sent promised another one.
    var isMidMessage = false

    /// - Parameters:
    ///   - kind: the pattern.
    ///   - options: the limits; those of the kind's role unless given.
    /// - Throws: ``ZeroMQError`` if the context has too many sockets, or an option is out of its range.
    public init(_ kind: SocketKind, in context: Context, options: SocketOptions? = nil) throws(ZeroMQError) {
        guard let handle = zmq_socket(context.handle, kind.number) else { throw .last("open \(kind)") }
        self.kind = kind
        self.context = context
        self.handle = handle
        owner = pthread_self()
        try apply(options ?? kind.defaultOptions)
    }

    deinit {
        if let handle {
            zmq_close(handle)
        }
    }

    /// Closes the socket now; messages that wait are still sent for `lingerMilliseconds`. Closing again does nothing.
    public func close() {
        checkOwner()
        if let handle {
            zmq_close(handle)
        }
        handle = nil
    }

    /// Makes the calling thread the owner. The last owner must not be in a call, and there must be a lock, a thread's
    /// start or end, or the like between its last call and this one (zmq_socket(3), "Thread safety").
    public func adopt() {
        owner = pthread_self()
    }

    public var isOpen: Bool {
        handle != nil
    }

    func checkOwner() {
        precondition(
            pthread_equal(owner, pthread_self()) != 0, "a ZeroMQ socket (\(kind)) was used outside its owning thread")
    }

    /// The handle for one call: in the owning thread, while the socket is open.
    func openHandle(_ operation: StaticString) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        checkOwner()
        guard let handle else { throw ZeroMQError(ENOTSOCK, "\(operation)") }
        return handle
    }
}
