/// Where a connection goes, and how it is treated.
public struct HTTP2Options: Hashable, Sendable {
    /// `https://host`, with a port if it is not 443; without a path.
    public var origin: String
    /// A file with the certificates that are trusted; nil: the system's.
    public var authorities: String?
    /// The longest wait for a connection (its name, TCP, TLS and the server's first frame together), and for an answer from the
    /// start of a request on, in milliseconds.
    public var connectMilliseconds = 10_000
    public var answerMilliseconds = 10_000
    /// Streams at once, if the server allows as many.
    public var streams = 1_000
    /// When nothing has come from the server for so long, in milliseconds, it is asked by PING; it answers within
    /// `answerMilliseconds`, or the connection has ended.
    public var keepAliveMilliseconds = 60_000

    public init(origin: String) {
        self.origin = origin
    }
}

/// The parts of an origin.
struct HTTP2Authority: Hashable {
    /// What the header `:authority` says.
    var text: String
    /// Without the brackets that an address of IPv6 has in a URL.
    var host: String
    var port: String

    /// - Throws: ``HTTP2SetupError`` for what is no `https://host` or `https://host:port`.
    init(origin: String) throws(HTTP2SetupError) {
        let scheme = "https://"
        guard origin.utf8.starts(with: scheme.utf8) else { throw Self.fault(origin) }
        text = String(origin.dropFirst(scheme.utf8.count))
        let isBracketed = text.utf8.first == UInt8(ascii: "[")
        let hostEnd = isBracketed ? text.firstIndex(of: "]") : text.firstIndex(of: ":") ?? text.endIndex
        guard let hostEnd else { throw Self.fault(origin) }
        host = String(text[..<hostEnd].drop { $0 == "[" })
        let rest = text[hostEnd...].drop { $0 == "]" }
        port = rest.isEmpty ? "443" : String(rest.dropFirst())
        let isPort = rest.isEmpty || rest.utf8.first == UInt8(ascii: ":") && (UInt16(port) ?? 0) > 0
        guard isPort, !host.isEmpty, !host.utf8.contains(0), !text.contains("/") else { throw Self.fault(origin) }
    }

    private static func fault(_ origin: String) -> HTTP2SetupError {
        HTTP2SetupError(message: "expected https://HOST or https://HOST:PORT, found '\(origin)'")
    }
}
