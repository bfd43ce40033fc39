internal import CMicroHTTPD
internal import Glibc
internal import Synchronization

/// A small HTTP/1.1 server for metrics and health: GET and HEAD, without request bodies, on a thread of its own.
///
/// Other methods get 405, a request with a body 413, bytes that are not HTTP 400 or a closed connection.
public final class HTTPServer: Sendable {
    public typealias Handler = @Sendable (HTTPRequest) -> HTTPResponse

    /// The bound port, also where 0 was asked for.
    public let port: UInt16
    /// `nil` once stopped.
    private let daemon: Mutex<OpaquePointer?>
    private let responder: Responder

    /// - Parameters:
    ///   - address: `127.0.0.1:7467` or `[::1]:7467`, numeric; port 0 is any free one.
    ///   - limits: what clients may take.
    ///   - handler: answers each request, in the server's thread: while it works, other clients wait. Of a path that it
    ///     does not know it returns ``HTTPResponse/notFound``. It must not stop the server.
    /// - Throws: ``HTTPError`` with the address and the kernel's number.
    public init(address: String, limits: HTTPLimits = HTTPLimits(), handler: @escaping Handler) throws(HTTPError) {
        let socket = try ListeningSocket(address)
        port = socket.port
        let responder = Responder(handler)
        self.responder = responder
        guard let daemon = HTTPServer.start(socket.take(), responder, limits) else {
            // The daemon has closed the socket or not, depending on how far it came; closing it here could hit another.
            throw HTTPError(code: .start, address: address, errno: errno)
        }
        self.daemon = Mutex(daemon)
    }

    /// Whether a text is an address as this server takes it.
    public static func isAddress(_ text: String) -> Bool { Address(text) != nil }

    deinit {
        stop()
    }

    /// Closes the port and all connections, and returns after the last request is answered. Stopping again does nothing.
    public func stop() {
        daemon.withLock { daemon in
            MHD_stop_daemon(daemon)
            daemon = nil
        }
    }

    /// The server's thread takes its signal mask from this one, so all signals are blocked meanwhile: they are for the
    /// thread that the program has chosen.
    private static func start(_ descriptor: Int32, _ responder: Responder, _ limits: HTTPLimits) -> OpaquePointer? {
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        // Unretained: the server keeps the responder until after the daemon has stopped.
        return ration_http_start(
            descriptor, Responder.callback, Unmanaged.passUnretained(responder).toOpaque(),
            UInt32(clamping: limits.connections), UInt32(clamping: limits.timeoutSeconds),
            max(1_024, limits.memoryBytesPerConnection))
    }
}
