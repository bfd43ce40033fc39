internal import CZeroMQ
internal import Synchronization

/// What has happened to the connections of one socket, counted.
///
/// The socket's owner calls ``drain()`` now and then, or when a ``Poller`` says that ``events`` is readable.
public final class SocketMonitor {
    /// How often each thing happened since the monitor began.
    public struct Counts: Equatable, Sendable {
        public var connected = 0
        public var connectRetried = 0
        public var accepted = 0
        public var acceptFailed = 0
        public var bindFailed = 0
        public var closed = 0
        public var disconnected = 0
        public var handshakeSucceeded = 0
        /// The peer went, or its time was up, before the handshake was complete.
        public var handshakeFailed = 0
        /// The peer does not speak ZMTP as it should.
        public var handshakeBroken = 0
        /// The peer was not let in.
        public var handshakeRefused = 0
    }

    /// The PAIR on which libzmq reports; for a ``Poller``.
    public let events: Socket
    public private(set) var counts = Counts()
    private let socket: Socket
    private var message = Message(maximumFrames: 2)

    /// Names must differ within a context.
    private static let names = Atomic<Int>(0)

    /// - Parameter socket: best before it binds or connects, so that nothing is missed.
    /// - Throws: ``ZeroMQError``.
    public init(_ socket: Socket, in context: Context) throws(ZeroMQError) {
        let number = SocketMonitor.names.add(1, ordering: .relaxed).newValue
        let endpoint = "inproc://monitor-\(number)"
        let handle = try socket.openHandle("monitor")
        // The one queue without a limit: a full one would block libzmq's I/O thread, and closing the socket in the
        // owner's thread, for good. For the same reason the reader is there before the reports begin.
        var options = SocketOptions()
        options.receiveHighWaterMark = 0
        self.socket = socket
        events = try Socket(.pair, in: context, options: options)
        try events.connect(endpoint)
        guard uninterrupted({ zmq_socket_monitor(handle, endpoint, ZMQ_EVENT_ALL) }) else {
            throw .last("monitor", endpoint: endpoint)
        }
    }

    deinit {
        stop()
    }

    /// Counts what has happened since the last call; never blocks.
    ///
    /// - Returns: the counts since the beginning.
    @discardableResult
    public func drain() throws(ZeroMQError) -> Counts {
        while try events.receive(into: &message) {
            if message.frameCount > 0, message[0].count >= 2 {
                count(message[0].loadUnaligned(as: UInt16.self))
            }
        }
        return counts
    }

    /// Ends the reports before their reader goes: libzmq would wait for it for good. The socket itself stays open.
    private func stop() {
        if let handle = socket.handle {
            _ = uninterrupted { zmq_socket_monitor(handle, nil, 0) }
        }
    }

    private func count(_ event: UInt16) {
        switch Int32(event) {
        case ZMQ_EVENT_CONNECTED: counts.connected += 1
        case ZMQ_EVENT_CONNECT_RETRIED: counts.connectRetried += 1
        case ZMQ_EVENT_ACCEPTED: counts.accepted += 1
        case ZMQ_EVENT_ACCEPT_FAILED: counts.acceptFailed += 1
        case ZMQ_EVENT_BIND_FAILED: counts.bindFailed += 1
        case ZMQ_EVENT_CLOSED: counts.closed += 1
        case ZMQ_EVENT_DISCONNECTED: counts.disconnected += 1
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: counts.handshakeSucceeded += 1
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: counts.handshakeFailed += 1
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: counts.handshakeBroken += 1
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: counts.handshakeRefused += 1
        default: break
        }
    }
}
