/// The limits of a socket. Every one is finite; wire.md, "Rules for ZeroMQ", says why.
///
/// They are set before the socket binds or connects and do not change afterwards.
public struct SocketOptions: Equatable, Sendable {
    /// Messages that wait for one peer; a further one is ``SendResult/wouldBlock``, or dropped by PUB and XPUB.
    public var sendHighWaterMark = 1_000
    /// Messages from one peer that wait for the owner; after that TCP pushes back.
    public var receiveHighWaterMark = 1_000
    /// Connections that the kernel keeps until they are accepted; a further one waits a second for its next try. The
    /// kernel's own limit (`net.core.somaxconn`) holds too.
    public var acceptBacklog = 1_024
    /// How long messages are still sent after the socket is closed.
    public var lingerMilliseconds = 0
    /// The longest frame that is received: a peer that sends a longer one loses its connection. 8 MiB is four times the
    /// limit of a request, so that `tooLarge` can be said.
    public var maximumMessageBytes = 8 << 20

    /// How often a peer that is silent is pinged.
    public var heartbeatIntervalMilliseconds = 5_000
    /// How long the answer to a ping may take before the connection counts as lost.
    public var heartbeatTimeoutMilliseconds = 15_000
    /// How long the peer shall wait for our next ping before it counts the connection as lost; at most 6,553,599.
    public var heartbeatTimeToLiveMilliseconds = 20_000

    /// The wait before the first try to connect again; it doubles with each further one.
    public var reconnectIntervalMilliseconds = 100
    /// The longest wait between two tries to connect again.
    public var reconnectIntervalMaximumMilliseconds = 5_000
    /// Whether messages are queued for complete connections only. Without one, sending is ``SendResult/wouldBlock``
    /// instead of filling a queue for a peer that may never come; what was received and not yet read is lost with its
    /// connection.
    public var sendsToCompleteConnectionsOnly = true
    /// How long a peer may take from its connection to the end of its ZMTP handshake.
    public var handshakeIntervalMilliseconds = 10_000
    /// Silence on TCP after which the kernel asks whether the peer's machine is still there.
    public var keepAliveIdleSeconds = 60
    /// The kernel's wait between two such questions.
    public var keepAliveIntervalSeconds = 10
    /// Unanswered questions after which the kernel ends the connection.
    public var keepAliveProbes = 6

    /// XPUB: whether the owner reads every subscription and cancellation, also those that change nothing because another
    /// subscriber has the same one.
    public var reportsEverySubscription = false
    /// REQ: whether a request carries a number of libzmq's own, so that a late answer to an earlier one is dropped and a
    /// new request may be sent without waiting for the answer to the last.
    public var correlatesRequests = false

    public init() {}

    /// A ROUTER that answers many clients. What waits in it is bounded by the clients' windows of 64.
    public static var server: SocketOptions {
        var options = SocketOptions()
        options.lingerMilliseconds = 1_000
        return options
    }

    /// A DEALER or REQ that asks a server: 64 unacknowledged requests and some room.
    public static var client: SocketOptions {
        var options = SocketOptions()
        options.sendHighWaterMark = 128
        options.receiveHighWaterMark = 256
        options.lingerMilliseconds = 200
        return options
    }

    /// A PUB or XPUB: room for the events of two large batches for each subscriber, since what comes due together is published
    /// in batches that follow each other at once; one that is slower loses live ones. At 600 bytes an event and libzmq's own 200
    /// that is less than 14 MB a slow subscriber.
    public static var publisher: SocketOptions {
        var options = SocketOptions()
        options.sendHighWaterMark = 16_384
        // A subscriber sends nothing but prefixes of topics, which have 245 bytes at most.
        options.maximumMessageBytes = 1_024
        options.lingerMilliseconds = 1_000
        return options
    }

    /// A SUB that keeps up with a ``publisher``. It sends nothing but subscriptions, which go out without its owner's help,
    /// and keeps what it has received over a lost connection.
    public static var subscriber: SocketOptions {
        var options = SocketOptions()
        options.sendsToCompleteConnectionsOnly = false
        options.receiveHighWaterMark = 16_384
        return options
    }
}
