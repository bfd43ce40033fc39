import Glibc
import TestProcesses
import Testing

/// A policy that changes while a broker works.
@Suite("Replanning", .serialized)
struct PolicyReplanTests {
    private let hour = WallClock.milliseconds + 3_600_000

    /// A broker with `ids` notifications held by each of many devices.
    private func broker(devices: Int, ids: Int) throws -> BrokerProcess {
        let broker = try BrokerProcess(policy: "slots: 64\n")
        let client = try Client(broker, to: broker.intents)
        let lines = IntentLine.wave(devices: devices, ids: ids, at: hour)
        for start in stride(from: 0, to: lines.count, by: 4096) {
            try client.publish(Array(lines[start..<min(start + 4096, lines.count)]), expecting: "h")
        }
        return broker
    }

    /// Held and queued, rebuilt from the events as semantics.md's laws say.
    private func folded(_ events: [JSON]) -> [String: Bool] {
        var pending: [String: Bool] = [:]
        for event in events {
            let subject = event["subject"]?.text ?? ""
            switch event.data["kind"]?.text {
            case "accepted": pending[subject] = true
            case "queued": pending[subject] = false
            case "evicted" where event.data["final"] == false: pending[subject] = false
            default: pending[subject] = nil
            }
        }
        return pending
    }

    @Test("every recipient is replanned once, in slices that are batches of their own; intake goes on between them")
    func slicesBetweenIntake() throws {
        let devices = 8_000
        let broker = try broker(devices: devices, ids: 1)
        let last = try #require(try broker.status()["last"]?.integer)
        let client = try Client(broker, to: broker.intents)
        let status = try Client(broker, to: broker.queries)
        #expect(try broker.replacePolicy(by: #"{"slots":0}"#)["backlog"] == .integer(devices))
        var batches: [Int] = []
        let deadline = Deadline(milliseconds: 3 * Deadline.standardMilliseconds)
        while try status.ask("status", "").body["replanBacklogRecipients"] != 0 {
            let line = IntentLine.schedule("new", on: "other-\(batches.count)", at: hour)
            let answer = try client.publish([line])
            #expect(answer.outcomes == "q")
            batches.append(try #require(answer.body["batch"]?.integer))
            try deadline.require("all recipients are replanned", #_sourceLocation)
        }
        let evicted = try broker.events(after: last).filter { $0.data["cause"] == "policy" }
        let slices = evicted.compactMap { $0.data["batch"]?.integer }
        #expect(evicted.count == devices)
        #expect(Set(evicted.compactMap { $0["subject"]?.text }).count == devices)
        let (first, end) = (slices.first ?? 0, slices.last ?? 0)
        #expect(batches.contains { first < $0 && $0 < end }, "no request was decided between slices: \(first)…\(end)")
        #expect(Set(slices).isDisjoint(with: batches))
    }

    @Test("what comes due while many are replanned is due in time")
    func dueMeanwhile() throws {
        let broker = try broker(devices: 8_000, ids: 2)
        let subscriber = try Subscriber(broker, ["due/", "heartbeat"])
        try subscriber.heartbeat()
        let client = try Client(broker, to: broker.intents)
        let soon = IntentLine.schedule("soon", on: "other", trigger: #"{"after":0.02}"#)
        #expect(try client.publish([soon]).outcomes == "h")
        for slots in [1, 2, 1, 2] { _ = try broker.replacePolicy(by: "{\"slots\":\(slots)}") }
        while true {
            let live = try subscriber.next()
            guard !live.isHeartbeat else { continue }
            #expect(live.event["subject"]?.text == "\(IntentLine.app)/other/soon")
            break
        }
        try broker.waitUntilReplanned()
    }

    @Test("policies put one upon the other under intake end in the last one, and the events rebuild the plans")
    func putUnderIntake() throws {
        let broker = try broker(devices: 300, ids: 8)
        let publishers = try (0..<3).map { index in
            try StreamingPublisher(broker, "p\(index)", window: 8, total: 120) { number in
                (0..<4).map { line in
                    let device = (index * 131 + number * 17 + line) % 300
                    return IntentLine.schedule("m\(line)", on: "device-\(device)", at: hour + number)
                }
            }
        }
        let deadline = Deadline(milliseconds: 3 * Deadline.standardMilliseconds)
        var puts = 0
        while !publishers.allSatisfy(\.isDone) {
            for publisher in publishers {
                try publisher.turn()
                try #require(publisher.refusals.isEmpty, "\(publisher.refusals[0].text)")
            }
            let acknowledged = publishers.reduce(0) { $0 + $1.acknowledgements.count }
            if acknowledged > puts * 60 {
                puts += 1
                let answer = try broker.replacePolicy(by: "{\"slots\":\([5, 3, 9][puts % 3])}")
                #expect(answer["revision"] == .integer(puts + 1))
            }
            try deadline.require("all acknowledgements", #_sourceLocation)
        }
        _ = try broker.replacePolicy(by: #"{"slots":4}"#)
        try broker.waitUntilReplanned()
        let pending = folded(try broker.events())
        for device in stride(from: 0, to: 300, by: 37) {
            let plan = try broker.plan(device: "device-\(device)").body
            #expect(plan["held"]?.list?.count == 4)
            for (name, isHeld) in [("held", true), ("queued", false)] {
                for entry in plan[name]?.list ?? [] {
                    let id = entry["id"]?.text ?? ""
                    #expect(pending["\(IntentLine.app)/device-\(device)/\(id)"] == isHeld, "device-\(device)/\(id)")
                }
            }
        }
        #expect(try broker.stop() == .status(0))
    }

    @Test("kill -9 while recipients are replanned leaves nobody waiting, and a new broker goes on replanning")
    func killed() throws {
        let broker = try broker(devices: 8_000, ids: 1)
        let policy = try broker.folder.write("slots: 0\n", to: "new.yaml")
        let put = try broker.start("policy", ["put", policy, "--wait", "1m"])
        #expect(try put.nextLine() == "revision 2 is in force after event 8000; 8000 recipients to replan")
        #expect(try broker.stop(SIGKILL) == .signal(SIGKILL))
        let ending = try put.wait(milliseconds: 15_000)
        #expect(ending == .status(1) || put.outputText.hasSuffix("all recipients are replanned\n"))
        let again = try broker.again()
        let deadline = Deadline()
        while try again.status()["replanBacklogRecipients"] != 0 {
            try deadline.require("all recipients are replanned", #_sourceLocation)
        }
        let evicted = try again.events().filter { $0["data"]?["kind"] == "evicted" }
        #expect(Set(evicted.compactMap { $0["data"]?["device"]?.text }).count == 8_000)
        #expect(evicted.count == 8_000)
        #expect(try again.stop() == .status(0))
    }

    @Test("a broker that is told to stop while it replans ends at once, status 0")
    func stopped() throws {
        let broker = try broker(devices: 8_000, ids: 1)
        _ = try broker.replacePolicy(by: #"{"slots":0}"#)
        broker.process.send(signal: SIGTERM)
        #expect(try broker.process.wait(milliseconds: 5_000) == .status(0))
    }
}
