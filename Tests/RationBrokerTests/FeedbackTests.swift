import RationModel
import RationPlanner
import RationStore
import RationWire
import SoonestOrder
import Testing

@testable import RationBroker

@Suite("Feedback becomes events")
struct FeedbackTests {
    private static let start = Instant(milliseconds: 1_796_000_000_000)

    private struct OneZone: ZoneSource {
        var release: String? { nil }
        func contains(_ name: UnsafeRawBufferPointer) -> Bool { true }
        func zone(named name: UnsafeRawBufferPointer) -> ZoneTable? { .utc }
    }

    /// A decider whose batches are committed at once, and what they come to.
    private struct Broker: ~Copyable {
        let store = MemoryStore(log: "log", retentionBytes: 64 << 20)
        var decider: Decider
        private var number: UInt64 = 0

        init() {
            let policy = CompiledPolicy(Policy(), order: SoonestOrder(), rules: [])
            decider = Decider(policy: policy, zones: OneZone(), seed: 1, store: store)
        }

        /// Decides one request.
        /// - Returns: its row of events, and its acknowledgement.
        mutating func publish(
            _ lines: [String], at clock: Instant = start
        ) throws -> (row: [UInt8], answer: String) {
            number += 1
            return try publish(lines, number: number, at: clock)
        }

        mutating func publish(
            _ lines: [String], number: UInt64, at clock: Instant
        ) throws -> (row: [UInt8], answer: String) {
            let body = Array(lines.joined(separator: "\n").utf8)
            let early = body.withUnsafeBytes {
                decider.take($0, number: number, of: "p", numberFrame: [], from: ReplyAddress(frames: []), clock: clock)
            }
            let told = try decider.decideAndCommit(clock: clock, wakeLimit: 100)
            let answer = [early].compactMap(\.self) + told.answers
            return (told.events, answer.map { String(decoding: $0.bodies.joined(), as: UTF8.self) }.joined())
        }
    }

    private static func schedule(_ id: String, _ device: String = "d", after seconds: Int = 60) -> String {
        #"{"op":"schedule","app":"app","device":"\#(device)","id":"\#(id)","content":{"title":"t"},"#
            + #""trigger":{"after":\#(seconds)}}"#
    }

    private static func feedback(_ id: String, _ outcome: String, _ device: String = "d", _ more: String = "") -> String
    {
        #"{"op":"feedback","app":"app","device":"\#(device)","id":"\#(id)","outcome":"\#(outcome)"\#(more)}"#
    }

    /// `sequence kind device/id`, and what only feedback has.
    private static func lines(_ row: [UInt8]) -> [String] {
        guard !row.isEmpty else { return [] }
        return row.withUnsafeBytes { row in
            func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
            var lines: [String] = []
            var reader = EventRow.Reader(row)
            while let entry = reader.next() {
                var line = "\(entry.sequence) \(entry.kind.name) \(text(entry.device))/\(text(entry.id))"
                for part in [text(entry.action), text(entry.failure), entry.textLength.map(String.init) ?? ""]
                where !part.isEmpty { line += " \(part)" }
                lines.append(line)
            }
            return lines
        }
    }

    @Test(
        "It stands behind what the batch has decided, as it came, also of what nobody knows; what is refused is not told"
    )
    func order() throws {
        var broker = Broker()
        let told = try broker.publish([
            Self.feedback("late", "opened", "z"), Self.schedule("b", "e"),
            Self.feedback("n", "action", "d", #","action":"reply","textLength":3"#),
            Self.feedback("n", "failed", "d", #","action":"x","reason":"no way""#), Self.schedule("a"),
            Self.feedback("n", "failed", "d", #","reason":"BadTopic""#), Self.feedback("n", "delivered", "z"),
        ])
        #expect(
            Self.lines(told.row) == [
                "1 accepted d/a", "2 accepted e/b", "3 opened z/late", "4 action d/n reply 3", "5 failed d/n BadTopic",
                "6 delivered z/n",
            ])
        #expect(told.answer.contains(#""outcomes":"ohorhoo""#))
        let next = try broker.publish([Self.schedule("c"), Self.feedback("c", "dismissed")])
        #expect(Self.lines(next.row) == ["7 accepted d/c", "8 dismissed d/c"])
        #expect(broker.decider.counters.events[.failed] == 1 && broker.decider.counters.events[.opened] == 1)
        #expect(broker.store.range.last == 8)
    }

    @Test("A batch of nothing else is committed, and neither makes nor changes a recipient")
    func alone() throws {
        var broker = Broker()
        _ = try broker.publish([Self.schedule("a")])
        let told = try broker.publish([Self.feedback("a", "opened"), Self.feedback("x", "opened", "nobody")])
        #expect(Self.lines(told.row) == ["2 opened d/a", "3 opened nobody/x"])
        #expect(broker.store.lastBatch == 2 && broker.decider.counters.recipients == 1)
        let isKnown = broker.decider.plan(app: "app", device: "nobody") != nil
        #expect(!isKnown)
        let plan = broker.decider.plan(app: "app", device: "d")
        #expect(plan?.held.map(\.id) == ["a"])
        // What its batch is decided again from has none of it.
        let row = try IntentsRow(try #require(broker.store.intents(ofBatch: 2)), contents: [])
        #expect(row.batch.intents.isEmpty)
    }

    @Test("A request that comes again tells nothing again")
    func repeated() throws {
        var broker = Broker()
        let first = try broker.publish([Self.feedback("a", "opened")], number: 1, at: Self.start)
        let second = try broker.publish([Self.feedback("a", "opened")], number: 1, at: Self.start)
        #expect(first.answer == second.answer && second.row.isEmpty && broker.store.range.last == 1)
    }

    @Test("The largest request of feedback fits: its events take less than it did")
    func largest() throws {
        var broker = Broker()
        let device = String(repeating: "d", count: 124)
        let (id, action) = (String(repeating: "i", count: 210), String(repeating: "a", count: 60))
        let lines = (0..<Limits.requestLines).map { place in
            let number = String(repeating: "0", count: 4 - "\(place)".count) + "\(place)"
            return Self.feedback(
                "\(id)\(number)", "action", "\(device)\(number)", #","action":"\#(action)","textLength":1000000"#)
        }
        let bytes = lines.joined(separator: "\n").utf8.count
        #expect(bytes <= Limits.requestBytes && bytes > Limits.requestBytes - 65_536)
        let told = try broker.publish(lines)
        #expect(told.row.count < bytes && Self.lines(told.row).count == Limits.requestLines)
        #expect(Self.lines(told.row).last == "4096 action \(device)4095/\(id)4095 \(action) 1000000")
    }

    @Test("One that fires in the batch in which it is told of is due first")
    func firing() throws {
        var broker = Broker()
        _ = try broker.publish([Self.schedule("a")])
        let told = try broker.publish([Self.feedback("a", "opened")], at: Self.start.advanced(by: 60_000))
        #expect(Self.lines(told.row) == ["2 due d/a", "3 opened d/a"])
    }

    @Test("Feedback keeps nobody: a recipient with nothing left goes as if it had not been told")
    func idle() throws {
        var broker = Broker()
        _ = try broker.publish([Self.schedule("a")])
        _ = try broker.publish([#"{"op":"remove","app":"app","device":"d"}"#])
        let later = Self.start.advanced(by: 40 * 86_400_000)
        _ = try broker.decider.commit(broker.decider.records(clock: later))
        var removed = 0
        for _ in 0..<3 {
            let (decided, isAtEnd) = broker.decider.removeIdle(clock: later)
            #expect(isAtEnd)
            if let decided {
                removed += 1
                _ = try broker.decider.commit(decided)
            }
            _ = try broker.publish([Self.feedback("a", "opened")], at: later)
        }
        #expect(removed == 1)
    }

    @Test("The last events about a notification have it, and the words of an end go on with what was told since")
    func explained() throws {
        var broker = Broker()
        _ = try broker.publish([Self.schedule("a"), Self.schedule("b")])
        let told = [
            Self.feedback("a", "delivered"), Self.feedback("b", "opened"),
            Self.feedback("a", "action", "d", #","action":"reply","textLength":3"#),
        ]
        _ = try broker.publish(told, at: Self.start.advanced(by: 60_000))
        let request = ExplainRequest(
            app: "app", device: "d", id: "a", address: ReplyAddress(frames: []), numberFrame: [])
        var search = EventSearch(request, upTo: broker.store.range.last, in: broker.store)
        while !search.isDone { try search.advance() }
        #expect(search.found.map { "\($0.kind.name)" } == ["accepted", "due", "delivered", "action"])
        let explained = Explained(
            request: request, explanation: nil, zone: .utc, now: Self.start, sequence: broker.store.range.last)
        let body = String(decoding: explained.body(events: search.found), as: UTF8.self)
        let at = Self.start.advanced(by: 60_000).rfc3339
        #expect(
            body.contains(
                #""words":["fired at \#(at)","told to have been delivered, at \#(at)","told to have been answered with "#
                    + #"the action 'reply', with 3 characters typed, at \#(at)"]"#), "\(body)")
        #expect(body.contains(#""kind":"action","action":"reply","textLength":3,"batch":2}"#))
    }
}
