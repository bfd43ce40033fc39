import RationBus
import TestProcesses
import Testing

@Suite("Catching up from the log", .serialized)
struct CatchingUpTests {
    private let hour = WallClock.milliseconds + 3_600_000

    @Test("a subscriber that comes late reads from the log what it missed: no hole, nothing twice")
    func late() throws {
        let broker = try BrokerProcess()
        let client = try Client(broker, to: broker.intents)
        try client.publish(IntentLine.wave(devices: 50, ids: 5, at: hour), expecting: "h")
        let subscriber = try Subscriber(broker, [""])
        #expect(try subscriber.heartbeat().sequence == 250)
        try client.publish(IntentLine.wave(devices: 50, ids: 5, at: hour + 1), expecting: "h")
        let live = try subscriber.events(until: 500)
        #expect(live.map(\.sequence) == Array(251...500))
        let missed = try broker.events().prefix { ($0.sequence ?? 0) < live[0].sequence }
        #expect(missed.compactMap(\.sequence) + live.map(\.sequence) == Array(1...500))
    }

    @Test("a subscriber that read nothing while 50,000 events passed fills its holes from the log")
    func slow() throws {
        let broker = try BrokerProcess(["--retentionBytes", "64MiB"])
        var options = SocketOptions.subscriber
        options.receiveHighWaterMark = 1
        let subscriber = try Subscriber(broker, [""], options: options)
        try subscriber.heartbeat()
        let client = try Client(broker, to: broker.intents)
        for round in 0..<13 {
            try client.publish(IntentLine.wave(devices: 64, ids: 64, at: hour + round), expecting: "h")
        }
        let last = 13 * 4096
        let live = try subscriber.events(until: last)
        #expect(live.count < last, "it lost some")
        #expect(zip(live, live.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        var whole: [Int: [UInt8]] = [:]
        for event in live { whole[event.sequence] = event.bytes }
        let reader = try Client(broker, to: broker.queries)
        var doubled = 0
        for hole in Self.holes(in: live.map(\.sequence), until: last) {
            var next = hole.lowerBound - 1
            while next < hole.upperBound {
                let most = min(10_000, hole.upperBound - next)
                let page = try reader.read(#"{"log":"\#(broker.log)","after":\#(next),"most":\#(most)}"#)
                for sequence in page.sequences {
                    if whole.updateValue([], forKey: sequence) != nil { doubled += 1 }
                }
                next = page.next
            }
        }
        #expect(doubled == 0)
        #expect(whole.keys.sorted() == Array(1...last))
    }

    /// What is missing of 1 … `last`.
    private static func holes(in sequences: [Int], until last: Int) -> [ClosedRange<Int>] {
        zip([0] + sequences, sequences + [last + 1]).filter { $0 + 1 < $1 }.map { $0 + 1...$1 - 1 }
    }
}
