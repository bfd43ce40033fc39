import TestProcesses
import Testing

@Suite("Many publishers")
struct ManyPublishersTests {
    private static let publisherCount = 200
    private static let requestCount = 50
    private static let linesPerRequest = 4

    /// Three notifications and a line that is broken.
    private static func lines(_ publisher: Int, _ number: Int) -> [String] {
        let at = WallClock.milliseconds + 3_600_000 + number
        return (0..<3).map { IntentLine.schedule("n\(number)", on: "d\(publisher)-\($0)", at: at) } + ["{\(number)"]
    }

    @Test("of 200 publishers at once every intent is acknowledged once, and the log holds what was acknowledged")
    func atOnce() throws {
        let broker = try BrokerProcess(["--retentionBytes", "64MiB"])
        let publishers = try (0..<Self.publisherCount).map { index in
            try StreamingPublisher(broker, "p\(index)", window: 8, total: Self.requestCount) { Self.lines(index, $0) }
        }
        try StreamingPublisher.run(publishers)
        for publisher in publishers {
            #expect(publisher.acknowledgements.map(\.number) == (1...Self.requestCount).map { "\($0)" })
            #expect(publisher.acknowledgements.allSatisfy { $0.outcomes == "hhhr" })
        }
        let requests = Self.publisherCount * Self.requestCount
        let status = try broker.status()
        #expect(status["requests"]?.integer == requests)
        #expect(status["intents"]?.integer == requests * Self.linesPerRequest)
        #expect(status["outcomes"]?["held"]?.integer == requests * 3)
        #expect(status["outcomes"]?["rejected"]?.integer == requests)
        let events = try broker.events()
        #expect(events.count == requests * 3)
        #expect(events.compactMap(\.sequence) == Array(1...requests * 3))
        #expect(Set(events.compactMap { $0["subject"]?.text }).count == requests * 3)
        #expect(events.allSatisfy { $0["data"]?["kind"] == "accepted" })
    }
}
