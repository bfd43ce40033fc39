internal import CZeroMQ

extension Socket {
    func apply(_ options: SocketOptions) throws(ZeroMQError) {
        try applyLimits(options)
        try applyTimes(options)
        try applyPattern(options)
    }

    private func applyLimits(_ options: SocketOptions) throws(ZeroMQError) {
        try set(ZMQ_SNDHWM, options.sendHighWaterMark, "sendHighWaterMark")
        try set(ZMQ_RCVHWM, options.receiveHighWaterMark, "receiveHighWaterMark")
        try set(ZMQ_BACKLOG, options.acceptBacklog, "acceptBacklog")
        try set(ZMQ_LINGER, options.lingerMilliseconds, "lingerMilliseconds")
        var bytes = Int64(options.maximumMessageBytes)
        try set(ZMQ_MAXMSGSIZE, &bytes, MemoryLayout<Int64>.size, "maximumMessageBytes")
        try set(ZMQ_IMMEDIATE, options.sendsToCompleteConnectionsOnly ? 1 : 0, "sendsToCompleteConnectionsOnly")
    }

    private func applyTimes(_ options: SocketOptions) throws(ZeroMQError) {
        try set(ZMQ_HEARTBEAT_IVL, options.heartbeatIntervalMilliseconds, "heartbeatIntervalMilliseconds")
        try set(ZMQ_HEARTBEAT_TIMEOUT, options.heartbeatTimeoutMilliseconds, "heartbeatTimeoutMilliseconds")
        try set(ZMQ_HEARTBEAT_TTL, options.heartbeatTimeToLiveMilliseconds, "heartbeatTimeToLiveMilliseconds")
        try set(ZMQ_RECONNECT_IVL, options.reconnectIntervalMilliseconds, "reconnectIntervalMilliseconds")
        try set(
            ZMQ_RECONNECT_IVL_MAX, options.reconnectIntervalMaximumMilliseconds,
            "reconnectIntervalMaximumMilliseconds")
        try set(ZMQ_HANDSHAKE_IVL, options.handshakeIntervalMilliseconds, "handshakeIntervalMilliseconds")
        try set(ZMQ_TCP_KEEPALIVE, 1, "keepAlive")
        try set(ZMQ_TCP_KEEPALIVE_IDLE, options.keepAliveIdleSeconds, "keepAliveIdleSeconds")
        try set(ZMQ_TCP_KEEPALIVE_INTVL, options.keepAliveIntervalSeconds, "keepAliveIntervalSeconds")
        try set(ZMQ_TCP_KEEPALIVE_CNT, options.keepAliveProbes, "keepAliveProbes")
    }

    /// What only one kind has.
    private func applyPattern(_ options: SocketOptions) throws(ZeroMQError) {
        switch kind {
        case .router:
            try set(ZMQ_ROUTER_MANDATORY, 1, "routerMandatory")
        case .xpub:
            // A slow subscriber loses messages; it never holds up the publisher.
            try set(ZMQ_XPUB_NODROP, 0, "publisherWaits")
            try set(ZMQ_XPUB_VERBOSER, options.reportsEverySubscription ? 1 : 0, "reportsEverySubscription")
        case .req:
            let correlates = options.correlatesRequests ? 1 : 0
            try set(ZMQ_REQ_CORRELATE, correlates, "correlatesRequests")
            try set(ZMQ_REQ_RELAXED, correlates, "correlatesRequests")
        case .dealer, .rep, .pub, .sub, .pair:
            break
        }
    }

    func set(_ option: Int32, _ value: Int, _ name: String) throws(ZeroMQError) {
        guard var number = Int32(exactly: value) else { throw ZeroMQError(EINVAL, "set \(name) to \(value)") }
        try set(option, &number, MemoryLayout<Int32>.size, "\(name) to \(value)")
    }

    private func set(
        _ option: Int32, _ value: UnsafeRawPointer, _ size: Int, _ name: String
    ) throws(ZeroMQError) {
        let handle = try openHandle("set an option")
        guard uninterrupted({ zmq_setsockopt(handle, option, value, size) }) else { throw .last("set \(name)") }
    }

    /// SUB: receive messages whose first frame starts with `prefix`; an empty one is every message. Each call counts: as
    /// many ``unsubscribe(_:)`` take it back.
    public func subscribe(_ prefix: String) throws(ZeroMQError) {
        try setPrefix(ZMQ_SUBSCRIBE, prefix, "subscribe")
    }

    /// SUB: takes back one ``subscribe(_:)`` with the same prefix.
    public func unsubscribe(_ prefix: String) throws(ZeroMQError) {
        try setPrefix(ZMQ_UNSUBSCRIBE, prefix, "unsubscribe")
    }

    private func setPrefix(_ option: Int32, _ prefix: String, _ operation: StaticString) throws(ZeroMQError) {
        let handle = try openHandle(operation)
        let bytes = Array(prefix.utf8)
        guard uninterrupted({ zmq_setsockopt(handle, option, bytes, bytes.count) }) else { throw .last("\(operation)") }
    }
}
