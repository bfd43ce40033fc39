import RationModel
import RationPlanner
import RationStore
import RationWire
import Testing

@testable import RationBroker

@Suite("What devices hold, with contents")
struct HoldingDeskTests {
    private let store = MemoryStore(log: "log", retentionBytes: 1 << 20)
    private let decide: DecideMailbox
    private let mailbox: QueryMailbox
    private let desk: HoldingDesk
    private let content = Array(#"{"title":"T"}"#.utf8)

    init() throws {
        (decide, mailbox) = (try DecideMailbox(), try QueryMailbox())
        desk = HoldingDesk(store: store, decide: decide)
    }

    private func commitContent() throws {
        var commit = Commit(
            batch: 1, now: Instant(milliseconds: 0), firstSequence: 1, eventCount: 0, events: [], answers: [])
        commit.contents = content
        // A batch without intents keeps no contents.
        commit.intents = [0]
        try store.commit(commit)
    }

    private func found(
        _ held: [HeldNotification.Content], delivery: Delivery = .local, failures: Int = 0, devices: Int = 1
    ) -> FoundHoldings {
        let notifications = held.map { content in
            HeldNotification(
                id: "n", fireDate: Instant(milliseconds: 5), expires: .distantFuture, repetition: .never,
                content: content)
        }
        let recipient = DevicesRequest.Recipient(app: "app", device: "d")
        let question = HoldingQuestion(
            recipients: Array(repeating: recipient, count: devices), address: ReplyAddress(frames: []), numberFrame: [],
            failures: failures)
        let holding = Holding(delivery: delivery, timeZone: "UTC", held: notifications)
        return FoundHoldings(
            question: question, holdings: Array(repeating: holding, count: devices), now: Instant(milliseconds: 7),
            sequence: 3)
    }

    private func stored(_ content: [UInt8], batch: UInt64 = 1) -> HeldNotification.Content {
        .stored(
            position: ContentPosition(batch: batch, offset: 0), count: content.count,
            hash: content.withUnsafeBytes { ByteHash.hash($0, seed: 0) })
    }

    @Test("a content is read where the store keeps it")
    func contents() throws {
        try commitContent()
        mailbox.post(found([stored(content)]))
        let answer = try #require(desk.advance(mailbox).first)
        let head = try answer.bodies[0].withUnsafeBytes { try HoldingAnswer(body: $0) }
        #expect(head == HoldingAnswer(log: "log", sequence: 3, now: Instant(milliseconds: 7)))
        var reader = ToldHoldingReader()
        let told = try answer.bodies[1].dropLast().withUnsafeBytes { try reader.read($0) }
        #expect(told?.held.map(\.content) == [content])
    }

    @Test("a content that has moved has the question asked again, and is damage only when that does not help")
    func moved() throws {
        try commitContent()
        for lost in [stored(content, batch: 2), stored(Array(#"{"title":"X"}"#.utf8))] {
            mailbox.post(found([lost]))
            #expect(desk.advance(mailbox).isEmpty)
            #expect(decide.takeHolding()?.failures == 1)
            mailbox.post(found([lost], failures: 7))
            let answer = try #require(desk.advance(mailbox).first)
            #expect(String(decoding: answer.bodies[0], as: UTF8.self).contains(#""code":"damaged""#))
            #expect(decide.takeHolding() == nil)
        }
    }

    @Test("of a device that gets pushes nothing is told as held, and no content is read")
    func push() throws {
        mailbox.post(found([stored(content)], delivery: .push))
        let answer = try #require(desk.advance(mailbox).first)
        #expect(
            String(decoding: answer.bodies[1], as: UTF8.self)
                == #"{"delivery":"push","timeZone":"UTC","held":[]}"# + "\n")
    }

    @Test("lines end behind the one that reaches the answer's bytes")
    func bytes() throws {
        let large = Array(#"{"title":"\#(String(repeating: "x", count: 4_000))"}"#.utf8)
        mailbox.post(found(Array(repeating: .bytes(large), count: 100), devices: 64))
        let answer = try #require(desk.advance(mailbox).first)
        let lines = answer.bodies[1].count { $0 == 0x0A }
        #expect(lines == 3)
        #expect(answer.bodies[1].count > HoldingRequest.answerBytes)
    }

    @Test("questions beyond the limit are told that it is busy")
    func busy() {
        for _ in 0..<HoldingDesk.limit {
            #expect(decide.ask(found([]).question))
        }
        #expect(!decide.ask(found([]).question))
    }
}
