public import RationModel
public import RationWire

/// One notification that is due, as it is sent. It goes through many hands, so that a copy is a reference and two numbers.
public struct Push: Hashable, Sendable {
    /// Which event it comes from.
    public struct Source: Hashable, Sendable {
        public var log: String
        public var sequence: UInt64

        public init(log: String, sequence: UInt64) {
            (self.log, self.sequence) = (log, sequence)
        }

        /// There is hardly ever more than one log.
        public func hash(into hasher: inout Hasher) { hasher.combine(sequence) }
    }

    private struct Facts: Hashable, Sendable {
        var source: Source
        var app: String
        var device: String
        var id: String
        var content: PushContent
        var validUntil: Instant
        var address: DeviceAddress
        var key: Int
    }

    private final class Shared: Hashable, Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }

        static func == (one: Shared, other: Shared) -> Bool { one.facts == other.facts }
        func hash(into hasher: inout Hasher) { hasher.combine(facts) }
    }

    private var shared: Shared
    public var source: Source {
        get { shared.facts.source }
        set { change { $0.source = newValue } }
    }
    public var app: String {
        get { shared.facts.app }
        set { change { $0.app = newValue } }
    }
    public var device: String {
        get { shared.facts.device }
        set { change { $0.device = newValue } }
    }
    public var id: String {
        get { shared.facts.id }
        set { change { $0.id = newValue } }
    }
    public var content: PushContent {
        get { shared.facts.content }
        set { change { $0.content = newValue } }
    }
    public var validUntil: Instant {
        get { shared.facts.validUntil }
        set { change { $0.validUntil = newValue } }
    }
    public var address: DeviceAddress {
        get { shared.facts.address }
        set { change { $0.address = newValue } }
    }
    /// The place of its app's key among the settings'.
    public var key: Int {
        get { shared.facts.key }
        set { change { $0.key = newValue } }
    }
    /// How often it was put off by an answer.
    public var attempts: Int
    /// Whether the token is known to have worked.
    public var hasWorked: Bool

    public init(
        source: Source, app: String, device: String, id: String, content: PushContent, validUntil: Instant,
        address: DeviceAddress, key: Int, attempts: Int = 0, hasWorked: Bool = false
    ) {
        shared = Shared(
            Facts(
                source: source, app: app, device: device, id: id, content: content, validUntil: validUntil,
                address: address, key: key))
        (self.attempts, self.hasWorked) = (attempts, hasWorked)
    }

    private mutating func change(_ body: (inout Facts) -> Void) {
        var facts = shared.facts
        body(&facts)
        shared = Shared(facts)
    }
}
