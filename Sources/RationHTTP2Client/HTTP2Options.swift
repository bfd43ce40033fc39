/// Where a connection goes, and how it is treated.
public struct HTTP2Options: Hashable, Sendable {
    /// `https://host`, with a port if it is not 443; without a path.
    public var origin: String
    /// A file with the certificates that are trusted; nil: the system's.
    public var authorities: String?
    /// The longest wait for a connection, and for an answer from the start of a request on, in milliseconds.
    public var connectMilliseconds = 10_000
    public var answerMilliseconds = 10_000
    /// Streams at once, if the server allows as many.
    public var streams = 1_000
    /// A connection without traffic is kept awake this often, in seconds.
    public var keepAliveSeconds = 60

    public init(origin: String) {
        self.origin = origin
    }
}
