internal import CZeroMQ
internal import Glibc

extension Socket {
    /// Binds to `tcp://ADDRESS:PORT` (port 0: any free one), `ipc://PATH` or `inproc://NAME`.
    ///
    /// libzmq silently takes an `ipc` endpoint away from a process that is bound to it: whoever binds one holds a lock
    /// first (wire.md).
    ///
    /// - Parameter onlyOwnerMayConnect: gives the file of an `ipc` endpoint mode 0600. Until that has happened its mode
    ///   comes from the process's umask: keep it in a folder that others cannot enter.
    /// - Returns: the endpoint as bound, with the real port.
    /// - Throws: ``ZeroMQError`` with the endpoint, for example `addressInUse`.
    @discardableResult
    public func bind(_ endpoint: String, onlyOwnerMayConnect: Bool = true) throws(ZeroMQError) -> String {
        let handle = try openHandle("bind")
        try allowIPv6(for: endpoint)
        try refuseTakenPath(of: endpoint)
        guard uninterrupted({ zmq_bind(handle, endpoint) }) else { throw .last("bind", endpoint: endpoint) }
        if onlyOwnerMayConnect, endpoint.hasPrefix("ipc://") {
            try restrictFile(of: endpoint, handle)
        }
        return try lastEndpoint(handle, endpoint)
    }

    /// Connects to an endpoint, now and again whenever the connection is lost. Returns at once; whether there is anyone
    /// shows only later (``SocketMonitor``).
    ///
    /// - Throws: ``ZeroMQError`` with the endpoint if it is not one.
    public func connect(_ endpoint: String) throws(ZeroMQError) {
        let handle = try openHandle("connect")
        try allowIPv6(for: endpoint)
        guard uninterrupted({ zmq_connect(handle, endpoint) }) else { throw .last("connect", endpoint: endpoint) }
    }

    /// Ends a connection; what waits to be sent to it is dropped after `lingerMilliseconds`.
    ///
    /// - Throws: ``ZeroMQError``, `notFound` if the endpoint was not connected.
    public func disconnect(_ endpoint: String) throws(ZeroMQError) {
        let handle = try openHandle("disconnect")
        guard uninterrupted({ zmq_disconnect(handle, endpoint) }) else {
            throw .last("disconnect", endpoint: endpoint)
        }
    }

    /// With the option set libzmq resolves names to IPv6 first; without it it refuses an address in brackets.
    private func allowIPv6(for endpoint: String) throws(ZeroMQError) {
        if endpoint.hasPrefix("tcp://[") {
            try set(ZMQ_IPV6, 1, "ipv6")
        }
    }

    private func restrictFile(of endpoint: String, _ handle: UnsafeMutableRawPointer) throws(ZeroMQError) {
        let path = String(endpoint.dropFirst("ipc://".count))
        guard chmod(path, 0o600) != 0 else { return }
        let error = ZeroMQError(errno, "restrict the mode of", endpoint: endpoint)
        _ = uninterrupted { zmq_unbind(handle, endpoint) }
        throw error
    }

    private func lastEndpoint(
        _ handle: UnsafeMutableRawPointer, _ endpoint: String
    ) throws(ZeroMQError) -> String {
        var text = [UInt8](repeating: 0, count: 1_024)
        var length = text.count
        guard uninterrupted({ zmq_getsockopt(handle, ZMQ_LAST_ENDPOINT, &text, &length) }) else {
            throw .last("read the endpoint of", endpoint: endpoint)
        }
        // The length counts the NUL at the end.
        return String(decoding: text[..<max(0, length - 1)], as: UTF8.self)
    }
}
