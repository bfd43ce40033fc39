import RationBus
import RationWire

/// Publishes live events and heartbeats on the events socket (wire.md, "Events"). An event is rendered only when
/// somebody subscribes to its topic.
struct LivePublisher: ~Copyable {
    private let socket: Socket
    private let writer: EventWriter
    private let log: [UInt8]
    private var message = Message(maximumFrames: 1)
    private var prefixes: Set<[UInt8]> = []
    /// Subscriptions beyond the limit: while there are any, every event is rendered.
    private var uncounted = 0
    private var topic: [UInt8] = []
    private var sequence: [UInt8] = []
    private var event: [UInt8] = []

    /// A flood of subscriptions holds up no batch for longer.
    private static let subscriptionsPerTurn = 4096
    /// Prefixes that are looked at one by one; the socket limits their bytes.
    private static let prefixLimit = 64

    init(socket: Socket, log: String) {
        self.socket = socket
        self.log = Array(log.utf8)
        writer = EventWriter(log: log)
    }

    /// Takes note of what subscribers have begun and ended.
    mutating func readSubscriptions() throws(ZeroMQError) {
        var taken = 0
        while taken < Self.subscriptionsPerTurn, try socket.receive(into: &message) {
            taken += 1
            guard let subscription = Subscription(message[0]) else { continue }
            if subscription.isActive {
                if prefixes.count < Self.prefixLimit {
                    prefixes.insert(subscription.prefix)
                } else {
                    uncounted += 1
                }
            } else if prefixes.remove(subscription.prefix) == nil {
                uncounted = max(0, uncounted - 1)
            }
        }
    }

    /// Publishes the events of a committed batch.
    /// - Returns: how many were rendered.
    mutating func publish(row: [UInt8]) throws(ZeroMQError) -> Int {
        guard !prefixes.isEmpty || uncounted > 0 else { return 0 }
        var rendered = 0
        let result = row.withUnsafeBytes { row in
            Result { () throws(ZeroMQError) in
                var entries = EventRow.Reader(row)
                while let entry = entries.next() {
                    if try publish(entry) { rendered += 1 }
                }
            }
        }
        try result.get()
        return rendered
    }

    private mutating func publish(_ entry: EventEntry) throws(ZeroMQError) -> Bool {
        topic.removeAll(keepingCapacity: true)
        EventWriter.writeTopic(entry, to: &topic)
        guard uncounted > 0 || prefixes.contains(where: { topic.starts(with: $0) }) else { return false }
        event.removeAll(keepingCapacity: true)
        writer.write(entry, to: &event)
        try send(sequence: entry.sequence)
        return true
    }

    /// Tells how far the log is.
    mutating func heartbeat(last: UInt64) throws(ZeroMQError) {
        let word = Frame.heartbeatTopic
        topic = Array(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        event = log
        try send(sequence: last)
    }

    /// Sends topic, sequence and event. XPUB never blocks: a subscriber that is too slow loses the message.
    private mutating func send(sequence number: UInt64) throws(ZeroMQError) {
        sequence.removeAll(keepingCapacity: true)
        EventWriter.writeSequence(number, to: &sequence)
        let result = topic.withUnsafeBytes { topic in
            sequence.withUnsafeBytes { sequence in
                event.withUnsafeBytes { event in
                    Result { () throws(ZeroMQError) in try socket.send(topic, sequence, event) }
                }
            }
        }
        _ = try result.get()
    }
}
