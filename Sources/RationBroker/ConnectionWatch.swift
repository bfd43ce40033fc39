import RationBus

/// What has happened to the connections of some sockets (wire.md, "Rules for ZeroMQ": monitor events become counters).
struct ConnectionCounters: Equatable, Sendable {
    var accepted = 0
    var disconnected = 0
    /// Peers that went before the handshake was complete, or that do not speak ZMTP as they should.
    var handshakesFailed = 0

    static func + (left: ConnectionCounters, right: ConnectionCounters) -> ConnectionCounters {
        ConnectionCounters(
            accepted: left.accepted + right.accepted, disconnected: left.disconnected + right.disconnected,
            handshakesFailed: left.handshakesFailed + right.handshakesFailed)
    }
}

/// Counts the connections of one thread's sockets.
struct ConnectionWatch {
    private let monitors: [SocketMonitor]

    /// - Parameter sockets: not bound yet, so that nothing is missed.
    init(_ sockets: [Socket], in context: Context) throws(ZeroMQError) {
        var monitors: [SocketMonitor] = []
        for socket in sockets { monitors.append(try SocketMonitor(socket, in: context)) }
        self.monitors = monitors
    }

    /// Makes the calling thread the owner.
    func adopt() {
        for monitor in monitors { monitor.events.adopt() }
    }

    /// Counts what has happened since the last call.
    /// - Returns: the counts since the beginning.
    func drain() throws(ZeroMQError) -> ConnectionCounters {
        var sum = ConnectionCounters()
        for monitor in monitors {
            let counts = try monitor.drain()
            sum =
                sum
                + ConnectionCounters(
                    accepted: counts.accepted, disconnected: counts.disconnected,
                    handshakesFailed: counts.handshakeFailed + counts.handshakeBroken + counts.handshakeRefused)
        }
        return sum
    }
}
