import RationBus
import TestProcesses
import Testing

@Suite("Live events")
struct LiveEventTests {
    private static let policy = #"{"types":{"habit":{"priority":0,"prefix":["com.myapp.habit"]}}}"#
    private let hour = WallClock.milliseconds + 3_600_000

    @Test("a live event has topic, position and a CloudEvent with all that wire.md names")
    func event() throws {
        let broker = try BrokerProcess(policy: Self.policy)
        let subscriber = try Subscriber(broker, [""])
        try subscriber.heartbeat()
        let id = "com.myapp.habit.\u{E9} \\\"1"
        let client = try Client(broker, to: broker.intents)
        let quoted = #"com.myapp.habit.\u00e9 \\\"1"#
        let acknowledgement = try client.publish([IntentLine.schedule(quoted, at: hour)], expecting: "h")
        let live = try #require(try subscriber.events(until: 1).first)
        #expect(live.topic == "accepted/habit/com.example.habits")
        #expect(live.sequenceText == "00000000000000000001")
        let event = live.event
        #expect(event["specversion"] == "1.0")
        #expect(event["id"]?.text == live.sequenceText)
        #expect(event["sequence"]?.text == live.sequenceText)
        #expect(event["source"]?.text == "/ration/\(broker.log)")
        #expect(event["type"] == "ration.notification.accepted.v1")
        #expect(event["subject"]?.text == "com.example.habits/d1/\(id)")
        #expect(event["time"] == acknowledgement.body["now"])
        #expect(event["datacontenttype"] == "application/json")
        let data = try #require(event["data"])
        #expect(data["kind"] == "accepted")
        #expect(data["app"] == "com.example.habits")
        #expect(data["device"] == "d1")
        #expect(data["id"]?.text == id)
        #expect(data["type"] == "habit")
        #expect(data["priority"] == 0)
        #expect(data["fireDate"]?.text.flatMap(Instants.milliseconds) == hour)
        #expect(data["requestedDate"] == data["fireDate"])
        #expect(data["cause"] == "new")
        #expect(data["batch"] == acknowledgement.body["batch"])
    }

    @Test("a type that the policy does not name is unknown in the topic and itself in the event")
    func unnamedType() throws {
        let broker = try BrokerProcess(policy: Self.policy)
        let subscriber = try Subscriber(broker, [""])
        try subscriber.heartbeat()
        let line = IntentLine.schedule("a", at: hour, type: "strange")
        try Client(broker, to: broker.intents).publish([line], expecting: "h")
        let live = try #require(try subscriber.events(until: 1).first)
        #expect(live.topic == "accepted/unknown/com.example.habits")
        #expect(live.event["data"]?["type"] == "strange")
    }

    @Test("no event holds a device's token")
    func token() throws {
        let broker = try BrokerProcess()
        let subscriber = try Subscriber(broker, [""])
        try subscriber.heartbeat()
        try Client(broker, to: broker.intents).publish(
            [
                IntentLine.of("device", more: #","token":"5ec4e7","delivery":"push""#),
                IntentLine.schedule("a", trigger: #"{"after":0.01}"#),
            ], expecting: "oh")
        let live = try subscriber.events(until: 2)
        #expect(live.map { $0.event["data"]?["kind"] } == ["accepted", "due"])
        #expect(live.allSatisfy { !String(decoding: $0.bytes, as: UTF8.self).contains("5ec4e7") })
    }

    @Test("a SUB gets what its topic's prefix names, and nothing else")
    func prefix() throws {
        let broker = try BrokerProcess(policy: Self.policy)
        let prefixes = ["cancelled/", "accepted/habit/", "accepted/unknown/com.example.habits"]
        let subscribers = try prefixes.map { try Subscriber(broker, [$0, "heartbeat"]) }
        for subscriber in subscribers { try subscriber.heartbeat() }
        try Client(broker, to: broker.intents).publish(
            [
                IntentLine.schedule("com.myapp.habit.1", at: hour), IntentLine.schedule("other", at: hour),
                IntentLine.schedule("other", app: "com.other", at: hour),
            ], expecting: "h")
        try Client(broker, to: broker.intents).publish([IntentLine.cancel("other")], expecting: "c")
        let ids = try subscribers.map { try $0.events(until: 4).map { $0.event["subject"]?.text ?? "" } }
        #expect(ids[0] == ["com.example.habits/d1/other"])
        #expect(ids[1] == ["com.example.habits/d1/com.myapp.habit.1"])
        #expect(ids[2] == ["com.example.habits/d1/other"])
    }

    @Test("once a second, also without traffic, a heartbeat tells the last position and the log")
    func heartbeat() throws {
        let broker = try BrokerProcess()
        let subscriber = try Subscriber(broker, ["heartbeat"])
        let first = try subscriber.heartbeat()
        let begin = Monotonic.milliseconds
        #expect(first.sequenceText == "00000000000000000000")
        #expect(String(decoding: first.bytes, as: UTF8.self) == broker.log)
        for _ in 0..<3 { #expect(try subscriber.heartbeat().sequence == 0) }
        let milliseconds = Monotonic.milliseconds - begin
        #expect((2_000...8_000).contains(milliseconds), "3 heartbeats in \(milliseconds) ms")
        try Client(broker, to: broker.intents).publish(IntentLine.wave(devices: 5, ids: 5, at: hour), expecting: "h")
        #expect(try subscriber.heartbeat().sequence == 25)
    }
}
