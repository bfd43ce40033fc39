/// A ZeroMQ endpoint of the broker: `tcp://127.0.0.1:7464` or `ipc:///run/ration/intents`.
///
/// Only what stays on this machine is taken, since connections are not encrypted or authenticated (wire.md, "Rules for
/// ZeroMQ"): loopback of IPv4, or a file's path.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// As libzmq takes it.
    public let text: String

    /// The broker's own (wire.md).
    public static let intents = Endpoint(loopbackPort: 7464)
    public static let events = Endpoint(loopbackPort: 7465)
    public static let queries = Endpoint(loopbackPort: 7466)

    /// Bytes of a Unix socket's path: `sun_path` without its NUL.
    public static let limitPathBytes = 107

    private init(loopbackPort port: Int) {
        text = "tcp://127.0.0.1:\(port)"
    }

    /// - Throws: `Mismatch` with what was expected.
    public init(_ text: String) throws(Mismatch) {
        if text.hasPrefix("tcp://") {
            try Self.checkTCP(String(text.dropFirst(6)), text)
        } else if text.hasPrefix("ipc://") {
            try Self.checkPath(String(text.dropFirst(6)))
        } else {
            throw Mismatch("expected tcp://ADDRESS:PORT or ipc://PATH, found '\(Quoted.short(text))'")
        }
        self.text = text
    }

    public var description: String { text }

    private static func checkTCP(_ rest: String, _ text: String) throws(Mismatch) {
        guard let colon = rest.lastIndex(of: ":"), colon != rest.startIndex else {
            throw Mismatch("expected tcp://ADDRESS:PORT, found '\(Quoted.short(text))'")
        }
        let host = String(rest[..<colon])
        let port = String(rest[rest.index(after: colon)...])
        guard port == "*" || NetworkAddress.port(port) != nil else {
            throw Mismatch("expected a port from 0 to 65535 or *, found '\(Quoted.short(port))'")
        }
        guard host == "localhost" || NetworkAddress.isLoopback(host) else {
            throw Mismatch(
                "expected a loopback address such as 127.0.0.1 (connections are not encrypted yet; other machines "
                    + "cannot be served), found '\(Quoted.short(host))'")
        }
    }

    private static func checkPath(_ path: String) throws(Mismatch) {
        guard !path.isEmpty, path != "*" else { throw Mismatch("expected ipc:// and a path, found '\(path)'") }
        guard path.utf8.count <= limitPathBytes else {
            throw Mismatch("expected a path of at most \(limitPathBytes) bytes, found \(path.utf8.count)")
        }
    }
}

/// Where the broker answers HTTP: an IPv4 address and a port, `127.0.0.1:7467`.
public struct HTTPAddress: Hashable, Sendable, CustomStringConvertible {
    /// Four numbers with dots.
    public let address: String
    /// 0 lets the system choose.
    public let port: UInt16

    /// The broker's own (wire.md).
    public static let standard = HTTPAddress(address: "127.0.0.1", port: 7467)

    private init(address: String, port: UInt16) {
        self.address = address
        self.port = port
    }

    /// - Throws: `Mismatch` with what was expected.
    public init(_ text: String) throws(Mismatch) {
        guard let colon = text.lastIndex(of: ":") else {
            throw Mismatch("expected ADDRESS:PORT or off, found '\(Quoted.short(text))'")
        }
        let host = String(text[..<colon])
        let written = String(text[text.index(after: colon)...])
        guard let port = NetworkAddress.port(written) else {
            throw Mismatch("expected a port from 0 to 65535, found '\(Quoted.short(written))'")
        }
        let address = host == "localhost" ? "127.0.0.1" : host
        guard NetworkAddress.octets(address) != nil else {
            throw Mismatch("expected an IPv4 address such as 127.0.0.1, found '\(Quoted.short(host))'")
        }
        self.init(address: address, port: port)
    }

    public var description: String { "\(address):\(port)" }
}

/// The parts of written addresses.
enum NetworkAddress {
    static func port(_ text: String) -> UInt16? {
        isDigits(text) ? UInt16(text) : nil
    }

    static func isLoopback(_ text: String) -> Bool {
        octets(text)?.first == 127
    }

    /// The four numbers of an IPv4 address, without leading zeros.
    static func octets(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let octets = parts.compactMap { isDigits($0) && ($0 == "0" || !$0.hasPrefix("0")) ? UInt8($0) : nil }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }

    private static func isDigits(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }
}
