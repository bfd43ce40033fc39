import RationBus
import TestProcesses
import Testing

@Suite("Acknowledgements")
struct AcknowledgementTests {
    /// A client's socket and what it puts in front of a request.
    struct Shape: CustomTestStringConvertible {
        let testDescription: String
        let kind: SocketKind
        var correlates = false
        var envelope: [String] = []
    }

    static let shapes = [
        Shape(testDescription: "REQ", kind: .req),
        Shape(testDescription: "REQ with correlation", kind: .req, correlates: true),
        Shape(testDescription: "DEALER", kind: .dealer),
        Shape(testDescription: "DEALER with an empty frame", kind: .dealer, envelope: [""]),
        Shape(testDescription: "DEALER with two ids", kind: .dealer, envelope: ["a", "b", ""]),
        Shape(
            testDescription: "DEALER with 8 frames", kind: .dealer, envelope: ["1", "2", "3", "4", "5", "6", "7", ""]),
    ]

    @Test("each kind of client gets its acknowledgement, with its envelope and its number in front", arguments: shapes)
    func answers(_ shape: Shape) throws {
        let broker = try BrokerProcess()
        var options = shape.kind.defaultOptions
        options.correlatesRequests = shape.correlates
        let client = try Client(broker, to: broker.intents, shape.kind, options: options)
        for number in ["1", "007"] {
            let line = IntentLine.schedule("n\(number)", at: WallClock.milliseconds + 60_000)
            try client.send(shape.envelope + ["ration/1 publish", "", number, line])
            let answer = try client.receive(envelope: shape.envelope.count)
            #expect(answer.frames.count == shape.envelope.count + 3)
            #expect(answer.frames.prefix(shape.envelope.count).map { $0 } == shape.envelope.map { Array($0.utf8) })
            #expect(answer.name == "ration/1 ack")
            #expect(answer.number == number)
            #expect(answer.outcomes == "h")
        }
    }

    @Test("an envelope of more than 8 frames is refused, and its client goes on")
    func longEnvelope() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let envelope = ["1", "2", "3", "4", "5", "6", "7", "8", ""]
        try client.send(envelope + ["ration/1 publish", "", "1", IntentLine.of("remove")])
        #expect(try client.receive().error == "malformed")
        #expect(try client.publish([IntentLine.of("remove")]).outcomes == "o")
    }

    @Test("an acknowledgement names log, batch and instant, and counts what its letters say")
    func letters() throws {
        let broker = try BrokerProcess(policy: #"{"slots":1,"queueLimit":1}"#)
        let client = try Client(broker, to: broker.intents)
        let hour = WallClock.milliseconds + 3_600_000
        let before = WallClock.milliseconds
        let first = try client.publish([
            IntentLine.schedule("a", at: hour), IntentLine.schedule("b", at: hour + 1),
            IntentLine.schedule("c", at: hour + 2), IntentLine.cancel("z"), "{",
            IntentLine.of("device", more: #","timeZone":"Europe/Madrid""#),
        ])
        #expect(first.outcomes == "hqenro")
        try expectCounts(first, ["held": 1, "queued": 1, "evicted": 1, "notFound": 1, "rejected": 1, "done": 1])
        #expect(first.body["log"]?.text == broker.log)
        let now = try #require(first.body["now"]?.text)
        #expect(now.count == 24 && now.hasSuffix("Z"))
        #expect(try #require(Instants.milliseconds(now)) >= before)
        let second = try client.publish([
            IntentLine.schedule("a", at: hour), IntentLine.cancel("b"),
            IntentLine.of("feedback", more: #","id":"a","outcome":"opened""#), IntentLine.of("remove", on: "d2"),
        ])
        #expect(second.outcomes == "ucoo")
        try expectCounts(second, ["unchanged": 1, "cancelled": 1, "done": 2])
        #expect(second.body["problems"] == [])
        #expect(try #require(second.body["batch"]?.integer) > #require(first.body["batch"]?.integer))
    }

    /// Every outcome has its count, also one of 0.
    private func expectCounts(_ answer: Answer, _ counts: [String: Int]) throws {
        let names = ["held", "queued", "unchanged", "cancelled", "notFound", "done", "expired", "evicted", "rejected"]
        for name in names {
            #expect(answer.body[name]?.integer == counts[name, default: 0], "\(name) in \(answer.text)")
        }
    }

    @Test("a rejected line is told with its place, id, code, field and message, and holds up no other")
    func problems() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let hour = WallClock.milliseconds + 3_600_000
        let answer = try client.publish([
            IntentLine.schedule("good", at: hour), #"{"op":"schedule""#, IntentLine.of("dance"),
            IntentLine.schedule("empty", trigger: "{}"), IntentLine.schedule("past", at: hour - 10 * 3_600_000),
            IntentLine.schedule("calendar", trigger: #"{"calendar":{"hour":24},"repeats":true}"#),
            IntentLine.schedule("better", at: hour),
        ])
        #expect(answer.outcomes == "hrrrrrh")
        let problems = try #require(answer.body["problems"]?.list)
        #expect(problems.map { $0["index"]?.integer } == [1, 2, 3, 4, 5])
        #expect(problems.map { $0["id"]?.text } == [nil, nil, "empty", "past", "calendar"])
        #expect(
            problems.map { $0["code"]?.text } == [
                "json", "intent.malformed", "trigger.empty", "trigger.past", "trigger.component",
            ])
        #expect(problems.allSatisfy { $0["level"] == "error" && $0["message"]?.text?.isEmpty == false })
        #expect(problems.map { $0["field"]?.text } == ["", "op", "trigger", "trigger.at", "trigger.calendar.hour"])
    }

    @Test("problems beyond 64 KiB are only counted")
    func manyProblems() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let answer = try client.publish(Array(repeating: "nonsense", count: 4096))
        #expect(answer.outcomes == String(repeating: "r", count: 4096))
        let problems = try #require(answer.body["problems"]?.list)
        #expect(problems.count + (answer.body["more"]?.integer ?? 0) == 4096)
        #expect(problems.count > 100)
        #expect(answer.bytes.count < 64 * 1024 + 4096 + 1024)
    }

    @Test("hello tells versions, log, limits, window, server and the publisher's last number")
    func hello() throws {
        let broker = try BrokerProcess()
        for endpoint in [broker.intents, broker.queries] {
            let hello = try Client(broker, to: endpoint).hello("nobody")
            #expect(hello["versions"] == [1])
            #expect(hello["log"]?.text == broker.log)
            #expect(hello["limits"]?["lines"] == 4096)
            #expect(hello["limits"]?["bytes"] == 2_097_152)
            #expect(hello["last"] == .null)
            #expect(hello["window"] == 64)
            #expect(hello["server"]?.text?.hasPrefix("ration/") == true)
        }
    }
}
