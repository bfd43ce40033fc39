import RationBus
import TestProcesses
import Testing

@Suite("Memory", .serialized)
struct MemoryTests {
    private static let devices = 400
    private static let ids = 10
    private static let linesPerRequest = devices * ids
    /// What the subscriber may cost, and what the store's memory may differ by from one moment to another.
    private static let limitBytes = 64 << 20

    @Test("a subscriber to everything that never reads costs less than 64 MiB over a million events")
    func neverReads() throws {
        let broker = try BrokerProcess()
        let hour = WallClock.milliseconds + 3_600_000
        let bodies = [0, 1].map { round in
            Client.publish(IntentLine.wave(devices: Self.devices, ids: Self.ids, at: hour + round), number: 1)
                .map { Array($0.utf8) }
        }
        let client = try Client(broker, to: broker.intents)
        let requests = 1_000_000 / Self.linesPerRequest
        // As much as the store keeps in memory before it goes to disk.
        try publish(bodies, requests: requests, client)
        var options = SocketOptions.subscriber
        options.receiveHighWaterMark = 1
        let sleeper = try Subscriber(broker, [""], options: options)
        try sleeper.heartbeat()
        let before = try broker.process.residentBytes()
        try publish(bodies, requests: requests, client)
        let grown = try broker.process.residentBytes() - before
        #expect(grown < Self.limitBytes, "the broker grew by \(grown >> 10) KiB")
        let status = try broker.status()
        #expect(status["last"]?.integer == 2 * requests * Self.linesPerRequest)
        #expect(status["events"]?["accepted"]?.integer == 2 * requests * Self.linesPerRequest)
        #expect(try #require(status["published"]?.integer) >= requests * Self.linesPerRequest)
    }

    @Test("a client that asks for the log and reads no answer holds 64 of them, the others are dropped and counted")
    func readsNoAnswers() throws {
        let broker = try BrokerProcess()
        let hour = WallClock.milliseconds + 3_600_000
        let client = try Client(broker, to: broker.intents)
        for round in 0..<3 {
            try client.publish(IntentLine.wave(devices: 64, ids: 60, at: hour + round), expecting: "h")
        }
        var options = SocketOptions.client
        options.sendHighWaterMark = 1_000
        options.receiveHighWaterMark = 1
        let deaf = try Client(broker, to: broker.queries, options: options)
        for number in 0..<300 { try deaf.send(["ration/1 read", "\(number)", #"{"most":10000,"mostBytes":4194304}"#]) }
        let deadline = Deadline()
        while try #require(broker.status()["answersDropped"]?.integer) < 200 {
            try deadline.require("most answers are dropped", #_sourceLocation)
        }
        let resident = try broker.process.residentBytes()
        #expect(resident < (64 * 4 + 96) << 20, "the broker has \(resident >> 20) MiB")
        try broker.proveThatItServes()
    }

    /// Publishes the bodies in turn, one after the other is decided: two in one batch would make one event of two.
    private func publish(_ bodies: [[[UInt8]]], requests: Int, _ client: Client) throws {
        for request in 0..<requests {
            try client.send(bodies[request % bodies.count])
            let answer = try client.receive()
            try #require(answer.name == "ration/1 ack", "\(answer.text.prefix(300))")
        }
    }
}
