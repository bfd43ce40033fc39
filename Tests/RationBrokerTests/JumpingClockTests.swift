import Foundation
import RationBus
import RationJSON
import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Synchronization
import Testing

@testable import RationBroker

@Suite("A broker whose wall clock jumps")
struct JumpingClockTests {
    /// The machine's time goes on as it does; the wall clock is off by as much as a test says.
    private final class JumpingClock: WallClock {
        private let off = Mutex<Int64>(0)

        func jump(_ milliseconds: Int64) { off.withLock { $0 += milliseconds } }

        func now() -> Instant { reading().wall }

        func reading() -> ClockReading {
            let reading = SystemClock().reading()
            return ClockReading(
                wall: reading.wall.advanced(by: off.withLock { $0 }),
                sinceBootMilliseconds: reading.sinceBootMilliseconds)
        }
    }

    private struct NoZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { false }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { nil }
    }

    private struct NoPolicies: PolicyReading {
        func read(
            _ document: PolicyDocument, zones: any ZoneSource
        ) throws(PolicyDocumentFaults) -> (policy: CompiledPolicy, warnings: [DocumentProblem]) {
            throw PolicyDocumentFaults([])
        }
    }

    private let clock = JumpingClock()
    private let folder: String
    private let broker: Broker
    private let context: Context

    init() throws {
        context = try Context()
        var template = Array("/tmp/ration-clock-XXXXXX".utf8CString)
        folder = String(cString: try #require(mkdtemp(&template)))
        let policy = CompiledPolicy(Policy(), order: SoonestOrder(), rules: [])
        broker = try Broker(
            policy: PolicyRevision(policy, source: "test"),
            zones: ZonesRevision(NoZone(), release: "2025a", fingerprint: "a"), policies: NoPolicies(),
            store: MemoryStore(log: "log", retentionBytes: 1 << 20),
            endpoints: BrokerEndpoints(
                intents: "ipc://\(folder)/i", events: "ipc://\(folder)/e", queries: "ipc://\(folder)/q",
                admin: "ipc://\(folder)/a", http: nil),
            clock: clock, server: "test")
    }

    private func end() throws {
        try broker.stop()
        try FileManager.default.removeItem(atPath: folder)
    }

    private func schedule(_ id: String, seconds: Int) throws {
        let client = try PublishingClient(endpoint: broker.endpoints.intents, publisher: "p-\(id)", in: context)
        let line =
            #"{"op":"schedule","app":"app","device":"d","id":"\#(id)","content":{"title":"t"},"trigger":{"after":\#(seconds)}}"#
        try client.submit(Array(line.utf8))
        var answers: [PublishingAnswer] = []
        while answers.isEmpty { answers = try client.poll(timeoutMilliseconds: 10_000) }
        guard case .acknowledgement(let request) = answers[0] else { throw CancellationError() }
        #expect(try request.acknowledgement().count(.held) == 1)
    }

    private func ask(accepting accepts: Bool = false) throws -> (state: String, jumps: Int64) {
        let client = QueryClient(endpoint: broker.endpoints.admin, in: context)
        let body = try client.clock(accepting: accepts, timeoutMilliseconds: 10_000)
        var parser = JSONParser()
        let answer = try parser.parse(body)
        return (answer["state"]?.text ?? "", answer["forwardJumps"]?.integer ?? -1)
    }

    /// The kinds of the events up to the log's end; waits for one if there is none yet.
    private func events(after position: UInt64, wait: Int = 0) throws -> [String] {
        let client = QueryClient(endpoint: broker.endpoints.queries, in: context)
        var request = ReadRequest()
        (request.after, request.waitMilliseconds) = (position, wait)
        let page = try client.read(request, timeoutMilliseconds: 10_000)
        var kinds: [String] = []
        var parser = JSONParser()
        for line in page.events.split(separator: 0x0A) {
            kinds.append(try parser.parse(Array(line))["data"]?["kind"]?.text ?? "")
        }
        return kinds
    }

    @Test(
        "a jump forward fires nothing by itself, intents go on by the machine's time, and what has come fires once it is accepted"
    )
    func forward() throws {
        try schedule("in an hour", seconds: 3_600)
        clock.jump(7_200_000)
        let doubted = try ask()
        #expect(doubted.state == "doubted")
        #expect(doubted.jumps == 1)
        // By the machine's time: the broker has not fired the first, whose time has come on the wall clock.
        try schedule("in two hours", seconds: 7_000)
        #expect(try events(after: 0) == ["accepted", "accepted"])
        #expect(try ask(accepting: true).state == "trusted")
        // The first is more than `grace` after its time.
        #expect(try events(after: 2, wait: 10_000) == ["due", "expired"])
        try end()
    }

    @Test("a clock that comes back is trusted by itself, and nothing was fired")
    func back() throws {
        try schedule("in an hour", seconds: 3_600)
        clock.jump(7_200_000)
        #expect(try ask().state == "doubted")
        clock.jump(-7_200_000)
        #expect(try ask().state == "trusted")
        #expect(try events(after: 0) == ["accepted"])
        let notices = broker.takeNotices()
        #expect(notices.count == 2 && notices.last == .clockTrusted, "\(notices)")
        try end()
    }

    @Test("a jump backward makes time stand still")
    func backward() throws {
        try schedule("a", seconds: 3_600)
        clock.jump(-7_200_000)
        #expect(try ask().state == "waiting")
        try end()
    }
}
