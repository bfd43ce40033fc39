import Glibc
import RationBus
import TestProcesses
import Testing

@Suite("Firing")
struct FiringTests {
    @Test("a notification fires at its time, with what is to be shown and until when")
    func atItsTime() throws {
        let broker = try BrokerProcess(policy: #"{"grace":"10m"}"#)
        let subscriber = try Subscriber(broker, [""])
        try subscriber.heartbeat()
        let line = IntentLine.schedule(
            "a", trigger: #"{"after":0.3}"#, more: #","expires":\#(WallClock.milliseconds + 300_000)"#)
        try Client(broker, to: broker.intents).publish(
            [IntentLine.of("device", more: #","delivery":"push""#), line], expecting: "oh")
        let live = try subscriber.events(until: 2)
        #expect(live.map(\.topic) == ["accepted/unknown/com.example.habits", "due/unknown/com.example.habits"])
        let (accepted, due) = (live[0].event, live[1].event)
        let data = try #require(due["data"])
        let fireDate = try #require(data["fireDate"]?.text.flatMap(Instants.milliseconds))
        let firedAt = try #require(due["time"]?.text.flatMap(Instants.milliseconds))
        #expect(accepted["time"]?.text.flatMap(Instants.milliseconds) == fireDate - 300)
        #expect((0...2_000).contains(firedAt - fireDate), "\(firedAt - fireDate) ms late")
        #expect(data["content"]?["title"] == "Water")
        #expect(data["delivery"] == "push")
        #expect(data["final"] == true)
        let validUntil = try #require(data["validUntil"]?.text.flatMap(Instants.milliseconds))
        #expect((200_000...300_000).contains(validUntil - fireDate), "expires comes before the end of the grace")
        #expect(try broker.plan().body["held"] == [])
    }

    @Test("what fires gives its slot to who waits: due comes before accepted, in one batch")
    func promotion() throws {
        let broker = try BrokerProcess(policy: #"{"slots":1}"#)
        let subscriber = try Subscriber(broker, [""])
        try subscriber.heartbeat()
        let lines = [
            IntentLine.schedule("a", trigger: #"{"after":0.2}"#), IntentLine.schedule("b", trigger: #"{"after":3600}"#),
        ]
        try Client(broker, to: broker.intents).publish(lines, expecting: "hq")
        let events = try subscriber.events(until: 4).map { $0.event["data"] ?? .null }
        #expect(events.map { $0["kind"] } == ["queued", "accepted", "due", "accepted"])
        #expect(events.map { $0["id"] } == ["b", "a", "a", "b"])
        #expect(events[3]["cause"] == "promoted")
        #expect(events[2]["batch"] == events[3]["batch"])
        #expect(events[2]["batch"] != events[1]["batch"])
    }

    @Test("what comes late within the grace fires now; beyond it only with overdue deliver")
    func late() throws {
        let broker = try BrokerProcess()
        let subscriber = try Subscriber(broker, ["due/", "heartbeat"])
        try subscriber.heartbeat()
        let now = WallClock.milliseconds
        let answer = try Client(broker, to: broker.intents).publish([
            IntentLine.schedule("soon", at: now - 600_000), IntentLine.schedule("gone", at: now - 7_200_000),
            IntentLine.schedule("still", at: now - 7_200_000, more: #","overdue":"deliver""#),
        ])
        #expect(answer.outcomes == "hrh")
        let due = try subscriber.events(until: 4)
        #expect(due.compactMap { $0.event["data"]?["id"]?.text }.sorted() == ["soon", "still"])
    }

    @Test("a repeating notification is held at its next date and stays")
    func repeating() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        let before = WallClock.milliseconds
        #expect(try client.publish([IntentLine.schedule("a", trigger: #"{"every":59.999}"#)]).outcomes == "r")
        #expect(try client.publish([IntentLine.schedule("a", trigger: #"{"every":60}"#)]).outcomes == "h")
        let held = try #require(try broker.plan().body["held"]?.list?.first)
        #expect(held["repeats"] == true)
        let fireDate = try #require(held["fireDate"]?.text.flatMap(Instants.milliseconds))
        #expect((60_000...80_000).contains(fireDate - before))
    }
}

@Suite("Firing many", .serialized)
struct FiringManyTests {
    private static let deviceCount = 20_000
    private static let sliceLimit = 8_192

    @Test("20,000 that are due at once go out in slices, and intake goes on meanwhile")
    func many() throws {
        let broker = try BrokerProcess(["--retentionBytes", "64MiB"])
        let client = try Client(broker, to: broker.intents)
        let begin = WallClock.milliseconds + 1_000
        // Late within the grace: the last ones come after their time on a slow machine, and fire all the same.
        for start in stride(from: 0, to: Self.deviceCount, by: 4_000) {
            let lines = (start..<start + 4_000).map {
                IntentLine.schedule("n", on: "device-\($0)", at: begin + $0 % 1_000)
            }
            try client.publish(lines, expecting: "h")
        }
        let pings = try StreamingPublisher(broker, "ping", window: 4) { [IntentLine.of("remove", on: "other-\($0)")] }
        let deadline = Deadline()
        while pings.acknowledgements.isEmpty {
            try pings.turn()
            try deadline.require("a connection", #_sourceLocation)
        }
        // The stream goes on before the broker sees that all are due.
        broker.process.send(signal: SIGSTOP)
        try waitUntil(begin + 1_000)
        try pings.turn()
        broker.process.send(signal: SIGCONT)
        let queries = try Client(broker, to: broker.queries)
        var asked = 0
        var fired = 0
        while fired < Self.deviceCount {
            try deadline.require("all are due, \(fired) are", #_sourceLocation)
            try pings.turn()
            if asked == 0 { try queries.send(["ration/1 status", "1", ""]) }
            asked = 1
            if let status = try queries.receiveAtOnce() {
                fired = status.body["events"]?["due"]?.integer ?? 0
                asked = 0
            }
        }
        // What was acknowledged before the last slice may still be on its way.
        let acknowledged = pings.acknowledgements.count
        while pings.acknowledgements.count < acknowledged + 4 {
            try deadline.require("acknowledgements", #_sourceLocation)
            try pings.turn()
        }
        try expectSlices(broker, pings)
    }

    private func waitUntil(_ instant: Int) throws {
        var poller = Poller()
        try poller.wait(milliseconds: max(0, instant - WallClock.milliseconds))
    }

    private func expectSlices(_ broker: BrokerProcess, _ pings: StreamingPublisher) throws {
        let due = try broker.events().filter { $0["data"]?["kind"] == "due" }
        #expect(Set(due.compactMap { $0["subject"]?.text }).count == Self.deviceCount)
        #expect(due.count == Self.deviceCount)
        let slices = Dictionary(grouping: due) { $0["data"]?["batch"]?.integer ?? 0 }.mapValues(\.count)
        #expect(slices.values.allSatisfy { $0 <= Self.sliceLimit })
        #expect(slices.count >= 3)
        let (first, last) = (try #require(slices.keys.min()), try #require(slices.keys.max()))
        let batches = pings.acknowledgements.compactMap { $0.body["batch"]?.integer }
        let meanwhile = batches.filter { $0 >= first && $0 <= last }
        #expect(!meanwhile.isEmpty, "an acknowledgement before the last slice; slices \(slices.keys.sorted())")
    }
}
