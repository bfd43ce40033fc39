import RationBus
import TestProcesses
import Testing

/// One answer of the broker, taken apart.
struct Answer {
    /// What the client's socket gave: the envelope, if any, first.
    let frames: [[UInt8]]
    /// Frames of the envelope.
    let envelope: Int

    /// The first frame after the envelope.
    var name: String { text(0) }
    var number: String { text(1) }
    /// The bytes of the body.
    var bytes: [UInt8] { frames.count > envelope + 2 ? frames[envelope + 2] : [] }
    /// Everything after the envelope, for messages.
    var text: String { frames.dropFirst(envelope).map { String(decoding: $0, as: UTF8.self) }.joined(separator: " | ") }

    var body: JSON { (try? JSON(bytes)) ?? .null }
    var outcomes: String { body["outcomes"]?.text ?? "" }
    /// An error's code; nil for what is none.
    var error: String? { name == "ration/1 error" ? body["code"]?.text : nil }

    private func text(_ index: Int) -> String {
        frames.count > envelope + index ? String(decoding: frames[envelope + index], as: UTF8.self) : ""
    }
}

/// One page of the log.
struct Page {
    let first: Int
    let last: Int
    let next: Int
    let log: String
    let events: [JSON]

    var sequences: [Int] { events.compactMap(\.sequence) }
}

extension JSON {
    /// An event's position.
    var sequence: Int? { self["sequence"]?.text.flatMap { Int($0) } }
}

/// A ZeroMQ client of one of the broker's endpoints that knows nothing but the wire.
final class Client {
    let socket: Socket
    private var numbers = 0
    private var message = Message(maximumFrames: 32)

    init(_ broker: BrokerProcess, to endpoint: String, _ kind: SocketKind = .dealer, options: SocketOptions? = nil)
        throws
    {
        var options = options ?? kind.defaultOptions
        // Else an answer that came just before the broker ended is gone with the connection.
        options.sendsToCompleteConnectionsOnly = false
        socket = try Socket(kind, in: broker.context, options: options)
        try socket.connect(endpoint)
    }

    /// Sends one message, waiting until the connection takes it.
    func send(_ frames: [[UInt8]], _ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline()
        var poller = Poller()
        _ = try poller.add(socket, .writable)
        while try socket.send(frames) != .sent {
            try deadline.require("a connection to the broker", location)
            try poller.wait(milliseconds: deadline.left)
        }
    }

    func send(_ frames: [String], _ location: SourceLocation = #_sourceLocation) throws {
        try send(frames.map { Array($0.utf8) }, location)
    }

    /// Receives the next message.
    /// - Parameter envelope: frames that come back in front of it.
    func receive(
        envelope: Int = 0, milliseconds: Int = Deadline.standardMilliseconds,
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let deadline = Deadline(milliseconds: milliseconds)
        var poller = Poller()
        _ = try poller.add(socket)
        while try !socket.receive(into: &message) {
            try deadline.require("an answer", location)
            try poller.wait(milliseconds: deadline.left)
        }
        return Answer(frames: (0..<message.frameCount).map { message.bytes($0) }, envelope: envelope)
    }

    /// The next message, if there is one already.
    func receiveAtOnce() throws -> Answer? {
        guard try socket.receive(into: &message) else { return nil }
        return Answer(frames: (0..<message.frameCount).map { message.bytes($0) }, envelope: 0)
    }

    /// Sends a request and waits for its answer.
    func ask(_ name: String, _ body: String, _ location: SourceLocation = #_sourceLocation) throws -> Answer {
        numbers += 1
        try send(["ration/1 \(name)", "\(numbers)", body], location)
        let answer = try receive(location)
        try #require(answer.number == "\(numbers)", "\(answer.text)", sourceLocation: location)
        return answer
    }

    /// The frames of a `publish`.
    static func publish(_ lines: [String], number: Int, as publisher: String = "") -> [String] {
        ["ration/1 publish", publisher, "\(number)", lines.joined(separator: "\n") + "\n"]
    }

    /// Publishes and waits for the acknowledgement.
    func publish(
        _ lines: [String], number: Int = 1, as publisher: String = "", _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        try send(Self.publish(lines, number: number, as: publisher), location)
        let answer = try receive(location)
        try #require(answer.number == "\(number)", "\(answer.text)", sourceLocation: location)
        return answer
    }

    /// Publishes, and fails the test when not every line ends in one of the letters.
    @discardableResult
    func publish(
        _ lines: [String], expecting letters: String, _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let answer = try publish(lines, location)
        try #require(
            answer.outcomes.count == lines.count && answer.outcomes.allSatisfy(letters.contains),
            "\(answer.text.prefix(2_000))", sourceLocation: location)
        return answer
    }

    /// `hello` of a publisher.
    func hello(_ publisher: String, _ location: SourceLocation = #_sourceLocation) throws -> JSON {
        try ask("hello", #"{"publisher":"\#(publisher)"}"#, location).body
    }

    /// Asks for a page of the log and waits for it.
    func read(_ body: String, _ location: SourceLocation = #_sourceLocation) throws -> Page {
        try Self.page(try ask("read", body, location), location)
    }

    /// The page that an answer to `read` holds.
    static func page(_ answer: Answer, _ location: SourceLocation = #_sourceLocation) throws -> Page {
        try #require(
            answer.name == "ration/1 read" && answer.frames.count == 4, "\(answer.text.prefix(500))",
            sourceLocation: location)
        let head = answer.body
        func number(_ name: String) throws -> Int { try #require(head[name]?.integer, sourceLocation: location) }
        return Page(
            first: try number("first"), last: try number("last"), next: try number("next"),
            log: try #require(head["log"]?.text, sourceLocation: location),
            events: try JSON.lines(answer.frames[3]))
    }
}
