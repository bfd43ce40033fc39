public import RationModel
public import RationWire

/// One notification that is due, as it is sent.
public struct Push: Hashable, Sendable {
    /// Which event it comes from.
    public struct Source: Hashable, Sendable {
        public var log: String
        public var sequence: UInt64

        public init(log: String, sequence: UInt64) {
            (self.log, self.sequence) = (log, sequence)
        }
    }

    public var source: Source
    public var app: String
    public var device: String
    public var id: String
    public var content: PushContent
    public var validUntil: Instant
    public var address: DeviceAddress
    /// The place of its app's key among the settings'.
    public var key: Int
    /// How often it was put off by an answer.
    public var attempts: Int
    /// Whether the token is known to have worked.
    public var hasWorked: Bool

    public init(
        source: Source, app: String, device: String, id: String, content: PushContent, validUntil: Instant,
        address: DeviceAddress, key: Int, attempts: Int = 0, hasWorked: Bool = false
    ) {
        (self.source, self.app, self.device, self.id) = (source, app, device, id)
        (self.content, self.validUntil, self.address, self.key) = (content, validUntil, address, key)
        (self.attempts, self.hasWorked) = (attempts, hasWorked)
    }
}
