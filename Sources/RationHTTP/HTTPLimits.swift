/// What clients may take from the server.
public struct HTTPLimits: Equatable, Sendable {
    /// Connections at a time; further ones wait in the kernel's queue, or are closed.
    public var connections = 256
    /// Silence after which a connection is closed.
    public var timeoutSeconds = 10
    /// Memory of one connection; a request whose head does not fit is refused.
    public var memoryBytesPerConnection = 16 << 10

    public init() {}
}
