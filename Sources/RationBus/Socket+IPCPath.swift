internal import Glibc

extension Socket {
    /// libzmq removes whatever stands at the path of an `ipc` endpoint and binds in its place: a file of somebody's, or
    /// the socket of a broker that runs. A path is taken when anything but a socket that nobody answers stands there.
    ///
    /// - Throws: ``ZeroMQError``, `addressInUse` for a socket that answers, `exists` for anything else.
    func refuseTakenPath(of endpoint: String) throws(ZeroMQError) {
        let path = String(endpoint.dropFirst("ipc://".count))
        guard endpoint.hasPrefix("ipc://"), !path.hasPrefix("@"), path != "*" else { return }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw ZeroMQError(EEXIST, "bind", endpoint: endpoint) }
        if Self.answers(path) { throw ZeroMQError(EADDRINUSE, "bind", endpoint: endpoint) }
    }

    /// Whether a process listens at a Unix socket's path.
    private static func answers(_ path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard bytes.count < room else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { _ = Glibc.close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
