import RationBus

/// The sockets of a broker, and what watches their connections; made by the thread that starts it, then handed over.
struct BrokerSockets {
    let intents: Socket
    let events: Socket
    let queries: Socket
    let admin: Socket
    /// Of the deciding thread's sockets.
    let writers: ConnectionWatch
    /// Of the reading thread's.
    let readers: ConnectionWatch

    init(in context: Context) throws(ZeroMQError) {
        intents = try Socket(.router, in: context)
        events = try Socket(.xpub, in: context)
        queries = try Socket(.router, in: context, options: Self.queryOptions)
        admin = try Socket(.router, in: context)
        writers = try ConnectionWatch([intents, events], in: context)
        readers = try ConnectionWatch([queries, admin], in: context)
    }

    /// - Returns: the endpoints as bound.
    func bind(_ endpoints: BrokerEndpoints) throws(ZeroMQError) -> BrokerEndpoints {
        var bound = endpoints
        bound.intents = try intents.bind(endpoints.intents)
        bound.events = try events.bind(endpoints.events)
        bound.queries = try queries.bind(endpoints.queries)
        bound.admin = try admin.bind(endpoints.admin)
        return bound
    }

    /// An answer to `read` may have 4 MiB: a client that asks and does not read its answers holds this many in memory;
    /// further ones are dropped.
    private static var queryOptions: SocketOptions {
        var options = SocketOptions.server
        options.sendHighWaterMark = 64
        return options
    }
}

extension BrokerEndpoints {
    /// With the port that was bound in place of 0.
    func with(httpPort: UInt16?) -> BrokerEndpoints {
        guard let httpPort, let address = http else { return self }
        var endpoints = self
        endpoints.http = address.prefix(through: address.lastIndex(of: ":") ?? address.startIndex) + "\(httpPort)"
        return endpoints
    }
}
