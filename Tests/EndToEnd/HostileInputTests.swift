import RationBus
import TestProcesses
import Testing

/// What is not the protocol costs its sender an error or its connection, and nobody else anything.
@Suite("Hostile input")
struct HostileInputTests {
    /// The broker's memory may grow by this much, whatever is sent.
    private static let limitBytes = 96 << 20

    @Test("bytes that are not ZMTP harm nobody", arguments: RawBytes.hostile)
    func raw(_ attack: RawBytes) throws {
        let broker = try BrokerProcess(over: .tcp)
        for endpoint in [broker.intents, broker.events, broker.queries] {
            let connection = try RawConnection(endpoint)
            connection.send(attack.bytes)
            try broker.proveThatItServes()
        }
        try expectHealthy(broker)
    }

    @Test("connections, ends of them and handshakes that failed are counted, on each endpoint")
    func connectionCounters() throws {
        let broker = try BrokerProcess(over: .tcp)
        let endpoints = [broker.intents, broker.events, broker.queries]
        for endpoint in endpoints {
            let connection = try RawConnection(endpoint)
            connection.send(Array("GET / HTTP/1.1\r\n\r\n".utf8) + [UInt8](repeating: 0x41, count: 256))
        }
        let deadline = Deadline()
        while true {
            let connections = try broker.status()["connections"]
            let failed = (connections?["handshakesFailed"]?.integer ?? 0) + (connections?["disconnected"]?.integer ?? 0)
            // Those that ask for the status are accepted, too.
            if connections?["accepted"]?.integer ?? 0 > endpoints.count, failed >= endpoints.count { break }
            try deadline.require("the connections are counted: \(connections as Any)", #_sourceLocation)
        }
    }

    @Test("200 connections that say nothing harm nobody")
    func silent() throws {
        let broker = try BrokerProcess(over: .tcp)
        let silent = try (0..<200).map { _ in try RawConnection(broker.intents) }
        try broker.proveThatItServes()
        #expect(silent.count == 200)
        try expectHealthy(broker)
    }

    @Test("each message that is not the protocol gets its error, and its sender may go on")
    func messages() throws {
        let broker = try BrokerProcess()
        for message in HostileMessage.all {
            let endpoint = message.isQuery ? broker.queries : broker.intents
            let client = try Client(broker, to: endpoint)
            try client.send(message.frames)
            let answer = try client.receive()
            let found = answer.frames.lastIndex(of: Array("ration/1 error".utf8))
            let error = found.map { Answer(frames: answer.frames, envelope: $0) }
            #expect(error?.error == message.error, "\(message.description): \(answer.text.prefix(300))")
            #expect(error?.body["message"]?.text?.isEmpty == false, "\(message.description)")
            let after = try client.ask("hello", "{}")
            #expect(after.name == "ration/1 hello", "after \(message.description): \(after.text.prefix(300))")
        }
        try broker.proveThatItServes()
        try expectHealthy(broker)
    }

    @Test("a publisher's name that is not UTF-8 is malformed")
    func invalidName() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        try client.send([
            Array("ration/1 publish".utf8), [0xC3, 0x28], Array("1".utf8), Array(IntentLine.of("remove").utf8),
        ])
        #expect(try client.receive().error == "malformed")
        try broker.proveThatItServes()
    }

    @Test("lines of arbitrary bytes are rejected one by one")
    func arbitraryLines() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let body = RawBytes.random(100_000)
        let lines = body.split(separator: 0x0A, omittingEmptySubsequences: false).count
        try client.send([Array("ration/1 publish".utf8), [], Array("1".utf8), body])
        #expect(try client.receive().outcomes == String(repeating: "r", count: lines), "seed \(RawBytes.seed)")
        try broker.proveThatItServes()
    }

    @Test("a message over 8 MiB costs its sender the connection, and nobody else anything")
    func oversized() throws {
        let broker = try BrokerProcess()
        let others = try Client(broker, to: broker.intents)
        #expect(try others.publish([IntentLine.of("remove")]).outcomes == "o")
        let client = try Client(broker, to: broker.intents)
        let body = [UInt8](repeating: 0x78, count: (8 << 20) + 1)
        for _ in 0..<4 {
            try client.send([Array("ration/1 publish".utf8), [], Array("1".utf8), body])
            #expect(try others.publish([IntentLine.of("remove")]).outcomes == "o")
        }
        try broker.proveThatItServes()
        try expectHealthy(broker)
    }

    @Test("many subscriptions of one subscriber harm nobody, and it gets what it wants")
    func subscriptions() throws {
        let broker = try BrokerProcess()
        // libzmq drops what is more than its high-water mark of 1,000.
        let topics = (0..<900).map { "accepted/\($0)/\(String(repeating: "t", count: $0 % 230))" }
        let greedy = try Subscriber(broker, topics + ["", "heartbeat"])
        try greedy.heartbeat()
        try broker.proveThatItServes()
        #expect(try greedy.events(until: 1).count == 1)
        for topic in topics { try greedy.socket.unsubscribe(topic) }
        #expect(try greedy.heartbeat().sequence == 1)
        try expectHealthy(broker)
    }

    @Test("a subscription that is longer than libzmq can carry harms no other subscriber")
    func longSubscription() throws {
        let broker = try BrokerProcess()
        let greedy = try Subscriber(
            broker, [String(repeating: "t", count: 250), String(repeating: "t", count: 100_000)])
        let other = try Subscriber(broker, [""])
        try other.heartbeat()
        try broker.proveThatItServes()
        #expect(try other.events(until: 1).count == 1)
        #expect(try greedy.nextAtOnce()?.topic == nil)
        try expectHealthy(broker)
    }

    private func expectHealthy(_ broker: BrokerProcess, _ location: SourceLocation = #_sourceLocation) throws {
        let bytes = try broker.process.residentBytes()
        #expect(bytes < Self.limitBytes, "the broker has \(bytes >> 10) KiB", sourceLocation: location)
        #expect(try broker.stop() == .status(0), sourceLocation: location)
    }
}
