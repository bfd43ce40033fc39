internal import Glibc

/// A TCP socket that never blocks, and its end.
final class ClientSocket {
    let descriptor: Int32

    /// Begins to connect.
    /// - Throws: ``ConnectFailure``.
    init(_ address: ServerAddress) throws(ConnectFailure) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(address.family, kind, 0)
        guard descriptor >= 0 else { throw ConnectFailure(code: errno) }
        // What is written is a whole record of TLS already. A socket without the option is slower, and as good.
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        let code = withUnsafePointer(to: address.storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, address.count) }
        }
        // It is closed when this throws, since it was made.
        guard code == 0 || errno == EINPROGRESS else { throw ConnectFailure(code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Whether it is connected.
    /// - Throws: ``ConnectFailure`` if that came to nothing.
    func isConnected() throws(ConnectFailure) -> Bool {
        var file = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&file, 1, 0) > 0 else { return false }
        var (code, count) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &count) == 0 else {
            throw ConnectFailure(code: errno)
        }
        guard code == 0 else { throw ConnectFailure(code: code) }
        return true
    }
}

/// Why nobody is reached at an address.
struct ConnectFailure: Error, Hashable {
    /// The system's.
    var code: Int32

    var message: String { "cannot connect: \(String(cString: strerror(code)))" }
}
