import RationBus
import Testing

/// What is not the protocol costs its sender an error or its connection, and nobody else anything.
@Suite("Hostile input")
struct HostileInputTests {
    /// The broker's memory may grow by this much, whatever is sent.
    private static let limitBytes = 96 << 20

    /// Bytes that are sent to each endpoint without ZeroMQ.
    struct RawBytes: CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    /// The signature, version 3.0 and mechanism NULL of ZMTP.
    private static let greeting: [UInt8] =
        [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 3, 0] + Array("NULL".utf8) + Array(repeating: 0, count: 48)
    private static let seed: UInt64 = 20_261_130

    private static let rawBytes = [
        RawBytes(testDescription: "HTTP", bytes: Array("GET / HTTP/1.1\r\nHost: ration\r\n\r\n".utf8)),
        RawBytes(
            testDescription: "a TLS client hello",
            bytes: [0x16, 3, 1, 0, 0xC8, 1, 0, 0, 0xC4, 3, 3] + Array(repeating: 0x5A, count: 194)),
        RawBytes(testDescription: "random bytes of seed \(seed)", bytes: random(100_000)),
        RawBytes(testDescription: "a greeting of ZMTP, then random bytes of seed \(seed)", bytes: greeting + random(100_000)),
        RawBytes(testDescription: "a greeting of ZMTP, then a frame of 2^63 bytes", bytes: greeting + longFrame),
        RawBytes(testDescription: "a version of ZMTP that does not exist", bytes: [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 99]),
        RawBytes(testDescription: "nothing", bytes: []),
    ]

    private static let longFrame: [UInt8] = [2, 0x7F] + Array(repeating: 0xFF, count: 7) + Array(repeating: 0, count: 9_000)

    private static func random(_ count: Int) -> [UInt8] {
        var state = seed
        return (0..<count).map { _ in
            // Knuth's constants of a linear congruential generator; its high bits are good enough.
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }

    @Test("bytes that are not ZMTP harm nobody", arguments: rawBytes)
    func raw(_ attack: RawBytes) throws {
        let broker = try BrokerProcess(over: .tcp)
        for endpoint in [broker.intents, broker.events, broker.queries] {
            let connection = try RawConnection(endpoint)
            connection.send(attack.bytes)
            try broker.proveThatItServes()
        }
        try expectHealthy(broker)
    }

    @Test("200 connections that say nothing harm nobody")
    func silent() throws {
        let broker = try BrokerProcess(over: .tcp)
        let silent = try (0..<200).map { _ in try RawConnection(broker.intents) }
        try broker.proveThatItServes()
        #expect(silent.count == 200)
        try expectHealthy(broker)
    }

    /// A message and the error that it gets.
    struct HostileMessage: CustomTestStringConvertible {
        let testDescription: String
        let frames: [[UInt8]]
        var queries = false
        let error: String

        init(_ description: String, _ frames: [String], queries: Bool = false, _ error: String) {
            testDescription = description + (queries ? " (queries)" : "")
            self.frames = frames.map { Array($0.utf8) }
            self.queries = queries
            self.error = error
        }
    }

    private static let line = IntentLine.of("remove")
    private static let messages: [HostileMessage] = [
        HostileMessage("a version that does not exist", ["ration/2 publish", "", "1", line], "version"),
        HostileMessage("a version that does not exist", ["ration/2 status", "1", "{}"], queries: true, "version"),
        HostileMessage("a version without a number", ["ration/", "", "1", line], "version"),
        HostileMessage("a version with more digits", ["ration/11 publish", "", "1", line], "version"),
        HostileMessage("no name", ["ration/1 ", "1", line], "unknown"),
        HostileMessage("an unknown name", ["ration/1 dance", "1", line], "unknown"),
        HostileMessage("an unknown name", ["ration/1 dance", "1", line], queries: true, "unknown"),
        HostileMessage("a name of 100,000 bytes", ["ration/1 " + String(repeating: "n", count: 100_000), "1", ""], "unknown"),
        HostileMessage("read on intents", ["ration/1 read", "1", "{}"], "unknown"),
        HostileMessage("publish on queries", ["ration/1 publish", "", "1", line], queries: true, "unknown"),
        HostileMessage("nothing after the name", ["ration/1 publish"], "malformed"),
        HostileMessage("nothing after the name", ["ration/1 read"], queries: true, "malformed"),
        HostileMessage("a frame too few", ["ration/1 publish", "", "1"], "malformed"),
        HostileMessage("a frame too many", ["ration/1 publish", "", "1", line, ""], "malformed"),
        HostileMessage("a frame too many", ["ration/1 plan", "1", "{}", ""], queries: true, "malformed"),
        HostileMessage("a number that is empty", ["ration/1 publish", "p", "", line], "malformed"),
        HostileMessage("a number with letters", ["ration/1 publish", "p", "1a", line], "malformed"),
        HostileMessage("a negative number", ["ration/1 publish", "p", "-1", line], "malformed"),
        HostileMessage("a number of 20 digits", ["ration/1 publish", "p", "10000000000000000000", line], "malformed"),
        HostileMessage("a number beyond 2^63", ["ration/1 publish", "p", "9999999999999999999", line], "malformed"),
        HostileMessage("a number of a megabyte", ["ration/1 hello", String(repeating: "1", count: 1 << 20), "{}"], "malformed"),
        HostileMessage("a publisher of 65 bytes", ["ration/1 publish", String(repeating: "p", count: 65), "1", line], "malformed"),
        HostileMessage("a publisher with a control character", ["ration/1 publish", "p\u{7}", "1", line], "malformed"),
        HostileMessage("a body that is no JSON", ["ration/1 hello", "1", "{"], "malformed"),
        HostileMessage("a body that is no JSON", ["ration/1 read", "1", "\u{0}"], queries: true, "malformed"),
        HostileMessage("a body that is no object", ["ration/1 plan", "1", "[]"], queries: true, "malformed"),
        HostileMessage("an unknown field", ["ration/1 read", "1", #"{"afer":1}"#], queries: true, "malformed"),
        HostileMessage("a negative position", ["ration/1 read", "1", #"{"after":-1}"#], queries: true, "malformed"),
        HostileMessage("a page too large", ["ration/1 read", "1", #"{"most":1000000}"#], queries: true, "malformed"),
        HostileMessage("a request after no envelope", ["hello", "", "world"], "malformed"),
        HostileMessage("an envelope without an end", ["a", "b", "c"], "malformed"),
        HostileMessage("only an envelope", ["a", ""], "malformed"),
        HostileMessage("10,000 empty frames", Array(repeating: "", count: 10_000), "malformed"),
        HostileMessage("10,000 empty frames", Array(repeating: "", count: 10_000), queries: true, "malformed"),
        HostileMessage("10,000 frames of a request", ["ration/1 publish"] + Array(repeating: "", count: 9_999), "malformed"),
        HostileMessage("3 MiB, more than a request", ["ration/1 publish", "", "1", String(repeating: "x", count: 3 << 20)], "tooLarge"),
    ]

    @Test("each message that is not the protocol gets its error, and its sender may go on")
    func messages() throws {
        let broker = try BrokerProcess()
        for message in Self.messages {
            let endpoint = message.queries ? broker.queries : broker.intents
            let client = try Client(broker, to: endpoint)
            try client.send(message.frames)
            let answer = try client.receive()
            let found = answer.frames.lastIndex(of: Array("ration/1 error".utf8))
            let error = found.map { Answer(frames: answer.frames, envelope: $0) }
            #expect(error?.error == message.error, "\(message.testDescription): \(answer.text.prefix(300))")
            #expect(error?.body["message"]?.text?.isEmpty == false, "\(message.testDescription)")
            let after = try client.ask("hello", "{}")
            #expect(after.name == "ration/1 hello", "after \(message.testDescription): \(after.text.prefix(300))")
        }
        try broker.proveThatItServes()
        try expectHealthy(broker)
    }

    @Test("a publisher's name that is not UTF-8 is malformed")
    func invalidName() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        try client.send([Array("ration/1 publish".utf8), [0xC3, 0x28], Array("1".utf8), Array(Self.line.utf8)])
        #expect(try client.receive().error == "malformed")
        try broker.proveThatItServes()
    }

    @Test("lines of arbitrary bytes are rejected one by one")
    func arbitraryLines() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let body = Self.random(100_000)
        let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false).count
        try client.send([Array("ration/1 publish".utf8), [], Array("1".utf8), body])
        #expect(try client.receive().outcomes == String(repeating: "r", count: lines), "seed \(Self.seed)")
        try broker.proveThatItServes()
    }

    @Test("a message over 8 MiB costs its sender the connection, and nobody else anything")
    func oversized() throws {
        let broker = try BrokerProcess()
        let others = try Client(broker, to: broker.intents)
        #expect(try others.publish([Self.line]).outcomes == "o")
        let client = try Client(broker, to: broker.intents)
        let body = [UInt8](repeating: 0x78, count: (8 << 20) + 1)
        for _ in 0..<4 {
            try client.send([Array("ration/1 publish".utf8), [], Array("1".utf8), body])
            #expect(try others.publish([Self.line]).outcomes == "o")
        }
        try broker.proveThatItServes()
        try expectHealthy(broker)
    }

    @Test("what a subscriber sends on the events endpoint harms nobody")
    func subscriptions() throws {
        let broker = try BrokerProcess()
        // libzmq drops what is more than its high-water mark of 1,000.
        let topics = (0..<900).map { "accepted/\($0)/\(String(repeating: "t", count: $0 % 300))" }
        let greedy = try Subscriber(broker, topics + ["", "heartbeat"])
        try greedy.heartbeat()
        try broker.proveThatItServes()
        #expect(try greedy.events(until: 1).count == 1)
        for topic in topics { try greedy.socket.unsubscribe(topic) }
        #expect(try greedy.heartbeat().sequence == 1)
        try broker.proveThatItServes()
        try expectHealthy(broker)
    }

    private func expectHealthy(_ broker: BrokerProcess, _ location: SourceLocation = #_sourceLocation) throws {
        let bytes = try broker.process.residentBytes()
        #expect(bytes < Self.limitBytes, "the broker has \(bytes >> 10) KiB", sourceLocation: location)
        #expect(try broker.stop() == .status(0), sourceLocation: location)
    }
}
