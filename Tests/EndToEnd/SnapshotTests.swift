import TestProcesses
import Testing

@Suite("snapshot: all recipients' plans, a page at a time")
struct SnapshotTests {
    private let hour = WallClock.milliseconds + 3_600_000

    private func broker(devices: Int) throws -> BrokerProcess {
        let broker = try BrokerProcess(policy: #"{"slots":2}"#)
        let client = try Client(broker, to: broker.intents)
        for device in 0..<devices {
            try client.publish(
                (0..<3).map { IntentLine.schedule("n\($0)", on: "d\(device)", at: hour + $0) }, expecting: "hhq")
        }
        return broker
    }

    /// The pages from the beginning to the end.
    private func pages(_ broker: BrokerProcess, most: Int) throws -> [(header: JSON, plans: [JSON])] {
        let client = try Client(broker, to: broker.queries)
        var pages: [(JSON, [JSON])] = []
        var after = ""
        repeat {
            let answer = try client.ask("snapshot", #"{"after":"\#(after)","most":\#(most)}"#)
            #expect(answer.name == "ration/1 snapshot", "\(answer.text)")
            let lines = (answer.frames.last ?? []).split(separator: 0x0A)
            pages.append((answer.body, try lines.map { try JSON(Array($0)) }))
            after = answer.body["next"]?.text ?? ""
        } while !after.isEmpty
        return pages
    }

    @Test("pages hold every recipient once, each as plan answers it, with the sequence at which it is true")
    func everyRecipientOnce() throws {
        let broker = try broker(devices: 7)
        let pages = try pages(broker, most: 3)
        #expect(pages.map(\.plans.count) == [3, 3, 1])
        let plans = pages.flatMap(\.plans)
        #expect(plans.map { $0["device"]?.text } == (0..<7).map { "d\($0)" })
        for plan in plans {
            let device = try #require(plan["device"]?.text)
            #expect(plan == (try broker.plan(device: device).body))
            #expect(plan["held"]?.list?.count == 2)
            #expect(plan["queued"]?.list?.count == 1)
        }
        #expect(pages.allSatisfy { $0.header["sequence"] == plans[0]["sequence"] })
    }

    @Test("a recipient that becomes known between two pages is in a later one")
    func growing() throws {
        let broker = try broker(devices: 2)
        let client = try Client(broker, to: broker.queries)
        let first = try client.ask("snapshot", #"{"most":1}"#)
        let after = try #require(first.body["next"]?.text)
        try Client(broker, to: broker.intents).publish(
            [IntentLine.schedule("new", on: "late", at: hour)], expecting: "h")
        let rest = try client.ask("snapshot", #"{"after":"\#(after)"}"#)
        let devices = try (rest.frames.last ?? []).split(separator: 0x0A).map { try JSON(Array($0))["device"]?.text }
        #expect(devices == ["d1", "late"])
        #expect(rest.body["next"]?.text == "")
    }

    @Test("a snapshot of another process, and what is no place, are refused by name")
    func refused() throws {
        let broker = try broker(devices: 1)
        let client = try Client(broker, to: broker.queries)
        #expect(try client.ask("snapshot", #"{"after":"abc.1"}"#).error == "unknown")
        #expect(try client.ask("snapshot", #"{"after":"abc"}"#).error == "malformed")
        #expect(try client.ask("snapshot", #"{"most":0}"#).error == "malformed")
        #expect(try Client(broker, to: broker.intents).ask("snapshot", "{}").error == "unknown")
    }

    @Test("ration snapshot prints each plan on a line of its own")
    func command() throws {
        let broker = try broker(devices: 3)
        let process = try broker.run("snapshot")
        #expect(process.ending == .status(0), "\(process.errorText)")
        #expect(process.outputLines.count == 3)
        #expect(Array(process.outputLines[1].utf8) == (try broker.plan(device: "d1").bytes))
    }
}
