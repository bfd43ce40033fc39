import Glibc
import RationBus
import TestProcesses
import Testing

@Suite("Stopping", .serialized)
struct StoppingTests {
    private static let stopMilliseconds = 5_000
    private static let publisherCount = 10
    private static let linesPerRequest = 5

    @Test(
        "under load everything acknowledged is in the log once, who comes later is told, status 0 within 5 s",
        arguments: [SIGTERM, SIGINT])
    func underLoad(_ signal: Int32) throws {
        let broker = try BrokerProcess()
        let subscriber = try Subscriber(broker, [""])
        try subscriber.heartbeat()
        let hour = WallClock.milliseconds + 3_600_000
        let publishers = try (0..<Self.publisherCount).map { index in
            try StreamingPublisher(broker, "p\(index)", window: 16) { number in
                (0..<Self.linesPerRequest).map { IntentLine.schedule("n\($0)", on: "d\(index)-\(number)", at: hour) }
            }
        }
        var live: [Subscriber.Live] = []
        func turn() throws {
            for publisher in publishers { try publisher.turn() }
            while let message = try subscriber.nextAtOnce() {
                if !message.isHeartbeat { live.append(message) }
            }
        }
        let loadDeadline = Deadline()
        while publishers.contains(where: { $0.acknowledgements.count < 40 }) {
            try turn()
            try loadDeadline.require("a load", #_sourceLocation)
        }
        broker.process.send(signal: signal)
        let stopDeadline = Deadline(milliseconds: Self.stopMilliseconds)
        while publishers.contains(where: { $0.refusals.isEmpty }) {
            try turn()
            try stopDeadline.require("a refusal for each publisher", #_sourceLocation)
        }
        #expect(try broker.process.wait(milliseconds: stopDeadline.left) == .status(0))
        let acknowledged = publishers.reduce(0) { $0 + $1.acknowledgements.count }
        try collect(acknowledged * Self.linesPerRequest, from: subscriber, into: &live)
        #expect(publishers.allSatisfy { $0.refusals.allSatisfy { $0.error == "stopping" } })
        #expect(live.map(\.sequence) == Array(1...live.count))
        expectOnce(publishers, in: live)
    }

    /// What the broker sent before it ended may still be on its way.
    private func collect(_ count: Int, from subscriber: Subscriber, into live: inout [Subscriber.Live]) throws {
        while live.count < count {
            let message = try subscriber.next()
            if !message.isHeartbeat { live.append(message) }
        }
    }

    private func expectOnce(_ publishers: [StreamingPublisher], in live: [Subscriber.Live]) {
        var counts: [String: Int] = [:]
        for message in live { counts[message.event["subject"]?.text ?? "", default: 0] += 1 }
        var acknowledged = 0
        for (index, publisher) in publishers.enumerated() {
            for answer in publisher.acknowledgements {
                #expect(answer.outcomes == "hhhhh")
                let device = "\(IntentLine.app)/d\(index)-\(answer.number)"
                #expect((0..<Self.linesPerRequest).allSatisfy { counts["\(device)/n\($0)"] == 1 }, "\(device)")
                acknowledged += Self.linesPerRequest
            }
        }
        #expect(acknowledged == live.count, "what is decided is acknowledged")
    }

    @Test("a broker without work ends within 5 s, also while a read waits, which is told")
    func idle() throws {
        let broker = try BrokerProcess(http: true)
        let reader = try Client(broker, to: broker.queries)
        try reader.send(["ration/1 read", "1", #"{"waitMs":60000}"#])
        try reader.send(["ration/1 status", "2", ""])
        #expect(try reader.receive().number == "2")
        broker.process.send(signal: SIGTERM)
        #expect(try reader.receive(milliseconds: Self.stopMilliseconds).error == "stopping")
        #expect(try broker.process.wait(milliseconds: Self.stopMilliseconds) == .status(0))
    }

    @Test("a subscriber that does not read and a client that reads no answers do not hold up the end")
    func stuckPeers() throws {
        let broker = try BrokerProcess()
        var options = SocketOptions.subscriber
        options.receiveHighWaterMark = 1
        let sleeper = try Subscriber(broker, [""], options: options)
        try sleeper.heartbeat()
        let hour = WallClock.milliseconds + 3_600_000
        let client = try Client(broker, to: broker.intents)
        for round in 0..<8 {
            try client.publish(IntentLine.wave(devices: 64, ids: 60, at: hour + round), expecting: "h")
        }
        let deaf = try Client(broker, to: broker.queries)
        for number in 0..<12 {
            try deaf.send(["ration/1 read", "\(number)", #"{"most":10000,"mostBytes":4194304}"#])
        }
        try broker.proveThatItServes()
        broker.process.send(signal: SIGTERM)
        #expect(try broker.process.wait(milliseconds: Self.stopMilliseconds) == .status(0))
    }
}
