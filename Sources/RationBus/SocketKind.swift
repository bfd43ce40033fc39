internal import CZeroMQ

/// The ZeroMQ patterns that Ration uses.
public enum SocketKind: Sendable {
    /// Serves many clients; the first frame of each message names the client. `ROUTER_MANDATORY` is set.
    case router
    /// A client with many requests under way.
    case dealer
    /// A client with one request at a time.
    case req
    /// A server with one request at a time.
    case rep
    /// Sends to all whose subscription is a prefix of the first frame.
    case pub
    /// ``pub`` whose owner reads the subscriptions (``Subscription``).
    case xpub
    /// Receives what it subscribes to.
    case sub
    /// One peer in the same process.
    case pair

    var number: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .req: ZMQ_REQ
        case .rep: ZMQ_REP
        case .pub: ZMQ_PUB
        case .xpub: ZMQ_XPUB
        case .sub: ZMQ_SUB
        case .pair: ZMQ_PAIR
        }
    }

    /// The options that fit this kind's role.
    public var defaultOptions: SocketOptions {
        switch self {
        case .router, .rep: .server
        case .dealer, .req: .client
        case .pub, .xpub: .publisher
        case .sub: .subscriber
        case .pair: SocketOptions()
        }
    }
}
