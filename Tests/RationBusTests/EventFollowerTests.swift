import RationBus
import RationJSON
import RationModel
import RationWire
import Testing

/// A broker that has a log and publishes live, all in the test's thread.
private final class FakeLog {
    let context: Context
    let queries: FakeBroker
    private let live: Socket
    let eventsEndpoint: String
    var name = "log-1"
    /// The kind of each event, from sequence 1 on.
    var kinds: [String] = []
    var first = 1
    private(set) var reads = 0
    private(set) var filteredReads = 0
    private var message = Message()

    init() throws {
        context = try Context()
        queries = try FakeBroker(in: context)
        live = try Socket(.xpub, in: context)
        eventsEndpoint = try live.bind("tcp://127.0.0.1:*")
    }

    func event(_ sequence: Int) -> String {
        #"{"specversion":"1.0","source":"/ration/\#(name)","n":\#(sequence),"kind":"\#(kinds[sequence - 1])"}"#
    }

    /// Whether somebody has subscribed since the last call.
    func hasSubscriber() throws -> Bool {
        guard try live.receive(into: &message) else { return false }
        return Subscription(message[0])?.isActive == true
    }

    /// Adds events to the log, and publishes some of them.
    func add(_ kinds: String..., live isLive: (Int) -> Bool = { _ in true }) throws {
        for kind in kinds {
            self.kinds.append(kind)
            if isLive(self.kinds.count) { try publish(self.kinds.count) }
        }
    }

    func publish(_ sequence: Int) throws {
        _ = try live.send([bytes("\(kinds[sequence - 1])/t/a"), bytes(digits(sequence)), bytes(event(sequence))])
    }

    func heartbeat() throws {
        _ = try live.send([bytes("heartbeat"), bytes(digits(kinds.count)), bytes(name)])
    }

    private func digits(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: 20 - text.count) + text
    }

    /// Answers reads; one that would wait is not answered until something comes.
    func serve() throws {
        try queries.receive()
        while let request = queries.take() { try serve(request) }
    }

    private func serve(_ request: FakeRequest) throws {
        reads += 1
        var parser = JSONParser()
        let body = try parser.parse(bytes(request.body))
        let after = Int(body["after"]?.integer ?? 0)
        guard body["log"].map({ $0.text == name }) ?? true, after <= kinds.count else {
            return try queries.refuse(request, RequestFault(.cursorAhead, "ahead"))
        }
        let wanted = body["kinds"]?.children.compactMap(\.text)
        if wanted != nil { filteredReads += 1 }
        let most = Int(body["most"]?.integer ?? 0)
        var next = max(after, first - 1)
        var events = ""
        for _ in 0..<most where next < kinds.count {
            next += 1
            if wanted?.contains(kinds[next - 1]) ?? true { events += event(next) + "\n" }
        }
        let answer = #"{"log":"\#(name)","first":\#(first),"last":\#(kinds.count),"next":\#(next)}"#
        try queries.answer(request, "ration/1 read", answer, events)
    }
}

/// A follower and what it has told.
private final class Following {
    let log: FakeLog
    let clock = ManualClock()
    let follower: EventFollower
    private(set) var told: [String] = []

    init(_ log: FakeLog, from start: FollowerStart, filter: EventFilter = EventFilter(), page: Int = 1_000) throws {
        self.log = log
        var options = EventFollower.Options()
        options.pageEvents = page
        follower = try EventFollower(
            events: log.eventsEndpoint, queries: log.queries.endpoint, filter: filter, from: start, in: log.context,
            options: options, clock: clock, random: ZeroRandom())
        try waitUntil("a subscription") { try log.hasSubscriber() }
    }

    func turn() throws {
        try follower.poll(timeoutMilliseconds: 2) { item in
            switch item {
            case .event(let bytes):
                var parser = JSONParser()
                told.append("\(try parser.parse([UInt8](bytes))["n"]?.integer ?? 0)")
            case .gone(let count): told.append("gone \(count)")
            case .catchingUp(let behind): told.append("behind \(behind)")
            case .logChanged(let name): told.append("log \(name)")
            case .brokerAway: told.append("away")
            case .brokerBack: told.append("back")
            }
        }
        try log.serve()
    }

    /// - Parameter isBeating: whether heartbeats go on.
    func wait(_ position: UInt64, isBeating: Bool = false, _ location: SourceLocation = #_sourceLocation) throws {
        try waitUntil("position \(position), is \(follower.position), told \(told)", location) {
            if isBeating { try log.heartbeat() }
            try turn()
            return follower.position == position && follower.log == log.name
        }
    }

    /// What was told since the last call.
    func take() -> [String] {
        defer { told = [] }
        return told
    }
}

@Suite("Following events")
struct EventFollowerTests {
    @Test("from now: only what comes later, live, without reading the log again")
    func now() throws {
        let log = try FakeLog()
        try log.add("due", "due")
        let following = try Following(log, from: .now)
        try following.wait(2)
        try waitUntil("it listens") {
            try following.turn()
            return log.reads == 2
        }
        try log.add("accepted", "due")
        try following.wait(4)
        try log.heartbeat()
        for _ in 0..<5 { try following.turn() }
        #expect(following.take() == ["3", "4"])
        #expect(log.reads == 2)
    }

    @Test("from the start: the log first, page by page, then live")
    func start() throws {
        let log = try FakeLog()
        try log.add("due", "due", "due", "due", "due")
        log.first = 3
        let following = try Following(log, from: .start, page: 2)
        try following.wait(5)
        try log.add("due")
        try following.wait(6)
        #expect(following.take().filter { !$0.hasPrefix("behind") } == ["3", "4", "5", "6"])
    }

    @Test("a hole in the live sequence is filled from the log, each event once and in order")
    func hole() throws {
        let log = try FakeLog()
        let following = try Following(log, from: .start)
        try following.wait(0)
        try log.add("due", "due", "due", "due", "due") { $0 == 1 || $0 == 4 }
        try following.wait(5)
        #expect(following.take().filter { !$0.hasPrefix("behind") } == ["1", "2", "3", "4", "5"])
    }

    @Test("a heartbeat that is ahead shows what was missed at the end")
    func heartbeat() throws {
        let log = try FakeLog()
        let following = try Following(log, from: .start)
        try following.wait(0)
        try waitUntil("it listens") {
            try following.turn()
            return log.reads == 2
        }
        try log.add("due", "due") { _ in false }
        for _ in 0..<5 { try following.turn() }
        #expect(following.take().isEmpty)
        try following.wait(2, isBeating: true)
        #expect(following.take() == ["behind 2", "1", "2"])
    }

    @Test("a random loss of live events and heartbeats loses, doubles and reorders nothing", arguments: 0..<8)
    func random(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let log = try FakeLog()
        let following = try Following(log, from: .start, page: 3)
        try following.wait(0)
        for _ in 0..<60 {
            let isLive = Int.random(in: 0..<3, using: &random) > 0
            try log.add("due") { _ in isLive }
            if Int.random(in: 0..<6, using: &random) == 0 { try log.heartbeat() }
            if Bool.random(using: &random) { try following.turn() }
        }
        try following.wait(60, isBeating: true)
        #expect(following.take().compactMap(Int.init) == Array(1...60), "seed \(seed)")
    }

    @Test("with a filter the log is read, and what it leaves out is no gap")
    func filter() throws {
        let log = try FakeLog()
        try log.add("due", "queued", "due")
        var filter = EventFilter()
        filter.kinds = [.due]
        let following = try Following(log, from: .start, filter: filter)
        try following.wait(3)
        try log.add("queued", "queued", "due")
        try log.heartbeat()
        try following.wait(6)
        #expect(following.take() == ["1", "3", "6"])
        #expect(log.filteredReads == log.reads - 1)
    }

    @Test("what the log no longer keeps is told by number")
    func gone() throws {
        let log = try FakeLog()
        try log.add("due", "due", "due", "due")
        log.first = 4
        let following = try Following(log, from: .after(1, log: nil))
        try following.wait(4)
        #expect(following.take() == ["gone 2", "behind 3", "4"])
    }

    @Test("a position beyond the log's end is an error")
    func ahead() throws {
        let log = try FakeLog()
        let following = try Following(log, from: .after(1, log: nil))
        let error = #expect(throws: QueryError.self) { try following.wait(1) }
        #expect(error?.code == .refused(RequestFault(.cursorAhead, "ahead")))
    }

    @Test("another log is told, and followed from its beginning", arguments: [true, false])
    func otherLog(isEvent: Bool) throws {
        let log = try FakeLog()
        try log.add("due", "due")
        let following = try Following(log, from: .start)
        try following.wait(2)
        try waitUntil("it listens") {
            try following.turn()
            return log.reads == 2
        }
        _ = following.take()
        log.name = "log-2"
        log.kinds = []
        try log.add("due", "due", "due") { isEvent && $0 == 3 }
        try following.wait(3, isBeating: !isEvent)
        #expect(following.take() == ["log log-2", "behind 3", "1", "2", "3"])
    }

    @Test("silence is told once, and its end")
    func silence() throws {
        let log = try FakeLog()
        let following = try Following(log, from: .start)
        try following.wait(0)
        try log.add("due")
        try following.wait(1)
        // The last thing that was heard is the next event: it came live.
        try log.add("due")
        try following.wait(2)
        _ = following.take()
        following.clock.advance(4_999)
        try following.turn()
        #expect(following.take() == [])
        following.clock.advance(1)
        try following.turn()
        try following.turn()
        #expect(following.take() == ["away"])
        try log.heartbeat()
        try waitUntil("back") {
            try following.turn()
            let told = following.take()
            return told == ["back"]
        }
    }
}

/// Numbers from a seed (Steele, Lea, Flood: SplitMix).
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
