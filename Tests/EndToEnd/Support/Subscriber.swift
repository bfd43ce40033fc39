import RationBus
import TestProcesses
import Testing

/// A plain SUB on the events endpoint.
final class Subscriber {
    /// One live message.
    struct Live {
        let topic: String
        let sequence: Int
        /// As it was written.
        let sequenceText: String
        let bytes: [UInt8]

        var isHeartbeat: Bool { topic == "heartbeat" }
        var event: JSON { (try? JSON(bytes)) ?? .null }
    }

    let socket: Socket
    private var message = Message()

    /// - Parameter topics: prefixes; an empty one is everything.
    init(_ broker: BrokerProcess, _ topics: [String], options: SocketOptions? = nil) throws {
        socket = try Socket(.sub, in: broker.context, options: options)
        for topic in topics { try socket.subscribe(topic) }
        try socket.connect(broker.events)
    }

    /// The next live message.
    func next(_ location: SourceLocation = #_sourceLocation) throws -> Live {
        let deadline = Deadline()
        var poller = Poller()
        _ = try poller.add(socket)
        while true {
            if let live = try nextAtOnce(location) { return live }
            try deadline.require("a live event or a heartbeat", location)
            try poller.wait(milliseconds: deadline.left)
        }
    }

    /// The next live message, if there is one already.
    func nextAtOnce(_ location: SourceLocation = #_sourceLocation) throws -> Live? {
        guard try socket.receive(into: &message) else { return nil }
        try #require(message.frameCount == 3 && message.droppedFrames == 0, sourceLocation: location)
        let texts = (0..<2).map { String(decoding: message[$0], as: UTF8.self) }
        let sequence = try #require(Int(texts[1]), sourceLocation: location)
        return Live(topic: texts[0], sequence: sequence, sequenceText: texts[1], bytes: message.bytes(2))
    }

    /// Waits for a heartbeat: from then on the subscriptions that were made before are in force.
    @discardableResult
    func heartbeat(_ location: SourceLocation = #_sourceLocation) throws -> Live {
        while true {
            let live = try next(location)
            if live.isHeartbeat { return live }
        }
    }

    /// The live events until a heartbeat says that the log has come to `last`.
    func events(until last: Int, _ location: SourceLocation = #_sourceLocation) throws -> [Live] {
        var events: [Live] = []
        let deadline = Deadline(milliseconds: 3 * Deadline.standardMilliseconds)
        while true {
            let live = try next(location)
            if !live.isHeartbeat { events.append(live) } else if live.sequence >= last { return events }
            try deadline.require("a heartbeat at \(last), the last one was at \(live.sequence)", location)
        }
    }
}
