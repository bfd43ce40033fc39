internal import Glibc

/// A server that could not start.
public struct HTTPError: Error, Equatable, Sendable {
    /// What failed.
    public enum Code: Sendable {
        /// The address is not `1.2.3.4:PORT` or `[IPV6]:PORT`.
        case invalidAddress
        /// No socket could be made.
        case open
        /// The address is taken, not this machine's, or not allowed.
        case bind
        /// The socket takes no connections.
        case listen
        /// The server's thread did not start.
        case start
    }

    public let code: Code
    /// The address as it was given.
    public let address: String
    /// The kernel's number; 0 where it was not asked.
    public let errno: Int32

    public init(code: Code, address: String, errno: Int32) {
        self.code = code
        self.address = address
        self.errno = errno
    }

    /// Whether the same address may work later: it is in use, or not this machine's yet.
    public var isRetryable: Bool {
        errno == EADDRINUSE || errno == EADDRNOTAVAIL || errno == EMFILE
    }
}

extension HTTPError: CustomStringConvertible {
    public var description: String {
        guard code != .invalidAddress else {
            return "\(address): not an address, expected 127.0.0.1:7467 or [::1]:7467"
        }
        return "\(code) \(address): \(String(cString: strerror(errno))) (\(errno))"
    }
}
