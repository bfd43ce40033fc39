internal import Glibc
internal import RationWire

/// The live events of a broker, or its heartbeats only: a SUB and the message that was received last.
final class LiveEvents {
    private let socket: Socket
    private let monitor: SocketMonitor
    private var message = Message(maximumFrames: 4)
    private var losses = 0
    /// The end of an event's source, and where it stood last.
    private var source: [UInt8] = []
    private var sourcePlace = 0

    /// The log that is followed.
    var log: String? {
        didSet { source = log.map { Array("/ration/\($0)\"".utf8) } ?? [] }
    }
    /// Whether the message is to be looked at again.
    var holds = false

    init(_ endpoint: String, onlyHeartbeats: Bool, in context: Context) throws(ZeroMQError) {
        socket = try Socket(.sub, in: context)
        monitor = try SocketMonitor(socket, in: context)
        try socket.subscribe(onlyHeartbeats ? "heartbeat" : "")
        try socket.connect(endpoint)
    }

    /// Receives the next message that is one of wire.md's, or gives the one that is held again.
    /// - Returns: whether there is one.
    func receive() throws(ZeroMQError) -> Bool {
        if holds {
            holds = false
            return true
        }
        while try socket.receive(into: &message) {
            if message.frameCount == 3, let number = Decimal.number(message[1]) {
                sequence = number
                return true
            }
        }
        return false
    }

    /// The event's, or the log's last.
    private(set) var sequence: UInt64 = 0
    /// The event, or the log's name.
    var payload: UnsafeRawBufferPointer { message[2] }

    var isHeartbeat: Bool {
        let topic = Frame.heartbeatTopic
        return message[0].elementsEqual(UnsafeBufferPointer(start: topic.utf8Start, count: topic.utf8CodeUnitCount))
    }

    func payloadIs(_ text: String) -> Bool {
        payload.elementsEqual(text.utf8)
    }

    /// Whether the event's source is the log that is followed; it stands near the event's beginning, mostly where it stood
    /// in the event before.
    func isOfLog() -> Bool {
        let beginning = UnsafeRawBufferPointer(rebasing: payload.prefix(256))
        if Self.has(source, at: sourcePlace, in: beginning) { return true }
        guard let place = beginning.indices.first(where: { Self.has(source, at: $0, in: beginning) }) else {
            return false
        }
        sourcePlace = place
        return true
    }

    private static func has(_ text: [UInt8], at place: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let start = bytes.baseAddress, place + text.count <= bytes.count else { return false }
        // `place` and the text's length end inside the bytes.
        return memcmp(start + place, text, text.count) == 0
    }

    /// Adds what is waited for to a poller; not the socket while a message is held.
    func enlist(in poller: inout Poller) throws(ZeroMQError) {
        if !holds { _ = try poller.add(socket) }
        _ = try poller.add(monitor.events)
    }

    /// Whether a connection has ended since the last call.
    func lostConnection() throws(ZeroMQError) -> Bool {
        let count = try monitor.drain().disconnected
        defer { losses = count }
        return count > losses
    }
}
