import RationBus
import RationModel
import RationWire
import Testing

/// A client, its clock and a fake broker, all in the test's thread.
private final class Scene {
    let context: Context
    let broker: FakeBroker
    let clock = ManualClock()
    let outbox: any Outbox
    let client: PublishingClient
    private(set) var answers: [PublishingAnswer] = []

    init(
        publisher: String = "habits", outbox: any Outbox = MemoryOutbox(), window: Int = 64
    ) throws {
        context = try Context()
        broker = try FakeBroker(in: context)
        self.outbox = outbox
        var options = PublishingClient.Options()
        options.window = window
        client = try PublishingClient(
            endpoint: broker.endpoint, publisher: publisher, outbox: outbox, in: context, options: options,
            clock: clock,
            random: ZeroRandom())
    }

    func turn() throws {
        answers += try client.poll(timeoutMilliseconds: 2)
        try broker.receive()
    }

    func wait(_ what: String, _ location: SourceLocation = #_sourceLocation, until isReached: () -> Bool) throws {
        try waitUntil(what, location) {
            try turn()
            return isReached()
        }
    }

    /// The next requests, in the order in which they came.
    func take(_ count: Int = 1, _ location: SourceLocation = #_sourceLocation) throws -> [FakeRequest] {
        try wait("\(count) requests", location) { broker.requests.count >= count }
        return (0..<count).compactMap { _ in broker.take() }
    }

    func greet(last: UInt64?, log: String = "log-1", window: Int = 64) throws {
        let hello = try take()[0]
        #expect(hello.name == "ration/1 hello")
        try broker.greet(hello, last: last, log: log, window: window)
    }

    func awaitAnswers(_ count: Int, _ location: SourceLocation = #_sourceLocation) throws {
        try wait("\(count) answers", location) { answers.count >= count }
    }
}

private func body(_ index: Int) -> [UInt8] { bytes("intent \(index)\n") }

@Suite("Publishing")
struct PublishingClientTests {
    @Test("says hello first, then sends in order, and hands on acknowledgements with their numbers")
    func ordinary() throws {
        let scene = try Scene()
        for index in 1...3 { #expect(try scene.client.submit(body(index)) == UInt64(index)) }
        try scene.greet(last: nil)
        let requests = try scene.take(3)
        #expect(requests.map(\.frames) == (1...3).map { ["ration/1 publish", "habits", "\($0)", "intent \($0)\n"] })
        for request in requests { try scene.broker.acknowledge(request) }
        try scene.awaitAnswers(3)
        #expect(scene.answers.map(\.number) == [1, 2, 3])
        guard case .acknowledgement(let request) = scene.answers[0] else {
            Issue.record("no acknowledgement")
            return
        }
        #expect(try request.acknowledgement().count(.held) == 1)
        #expect(scene.client.isDrained)
        #expect(try scene.outbox.unacknowledged().isEmpty)
        #expect(scene.outbox.log == "log-1")
    }

    @Test("answers that come in another order are handed on in order")
    func order() throws {
        let scene = try Scene()
        for index in 1...3 { try scene.client.submit(body(index)) }
        try scene.greet(last: nil)
        let requests = try scene.take(3)
        for request in requests.reversed() { try scene.broker.acknowledge(request) }
        try scene.awaitAnswers(3)
        #expect(scene.answers.map(\.number) == [1, 2, 3])
    }

    @Test("no more than the window is under way, and submitting waits for room")
    func window() throws {
        let scene = try Scene(window: 2)
        for index in 1...2 { try scene.client.submit(body(index)) }
        #expect(!scene.client.hasRoom)
        #expect(throws: PublishingError.self) { try scene.client.submit(body(3), timeoutMilliseconds: 0) }
        #expect(try scene.outbox.unacknowledged().count == 2)
        try scene.greet(last: nil, window: 1)
        let first = try scene.take()[0]
        try scene.turn()
        #expect(scene.broker.requests.isEmpty)
        try scene.broker.acknowledge(first)
        #expect(try scene.take()[0].number == 2)
        #expect(scene.client.hasRoom)
    }

    @Test("a request without an answer is sent again with its number after its deadline, behind a new hello")
    func deadline() throws {
        let scene = try Scene()
        try scene.client.submit(body(1))
        try scene.greet(last: nil)
        _ = try scene.take()
        scene.clock.advance(9_999)
        try scene.turn()
        #expect(scene.client.isConnected)
        scene.clock.advance(1)
        try scene.turn()
        #expect(!scene.client.isConnected)
        scene.clock.advance(49)
        try scene.turn()
        #expect(scene.broker.requests.isEmpty)
        scene.clock.advance(1)
        // It was committed, and only the acknowledgement is lost.
        try scene.greet(last: 1)
        let again = try scene.take()[0]
        #expect(again.frames == ["ration/1 publish", "habits", "1", "intent 1\n"])
        try scene.broker.acknowledge(again)
        try scene.awaitAnswers(1)
    }

    @Test("when the broker goes and comes back, all that is open is sent again in order")
    func restart() throws {
        let scene = try Scene()
        for index in 1...3 { try scene.client.submit(body(index)) }
        try scene.greet(last: nil)
        // The first one was committed; its acknowledgement came after the broker's end.
        let requests = try scene.take(3)
        #expect(requests.count == 3)
        scene.broker.stop()
        try scene.wait("the loss is seen") { !scene.client.isConnected }
        try scene.broker.start()
        scene.clock.advance(10_000)
        try scene.greet(last: 1)
        let again = try scene.take(3)
        #expect(again.map(\.number) == [1, 2, 3])
        for request in again { try scene.broker.acknowledge(request) }
        try scene.awaitAnswers(3)
        #expect(scene.answers.map(\.number) == [1, 2, 3])
    }

    @Test("tries again, each time later, while there is no broker")
    func absent() throws {
        let scene = try Scene()
        scene.broker.stop()
        try scene.client.submit(body(1))
        for _ in 0..<3 {
            scene.clock.advance(5_000)
            try scene.turn()
        }
        try scene.broker.start()
        try waitUntil("hello") {
            scene.clock.advance(5_000)
            try scene.turn()
            return !scene.broker.requests.isEmpty
        }
    }

    @Test("busy: all is sent again in order, once, after a wait")
    func busy() throws {
        let scene = try Scene()
        for index in 1...3 { try scene.client.submit(body(index)) }
        try scene.greet(last: nil)
        let requests = try scene.take(3)
        try scene.broker.refuse(requests[0], RequestFault(.busy, "later"))
        try scene.broker.refuse(requests[1], RequestFault(.outOfOrder, "gap", expected: 1))
        try scene.broker.refuse(requests[2], RequestFault(.outOfOrder, "gap", expected: 1))
        for _ in 0..<5 { try scene.turn() }
        #expect(scene.broker.requests.isEmpty)
        try scene.wait("the end of the pause") {
            scene.clock.advance(10)
            return scene.broker.requests.count >= 3
        }
        #expect(try scene.take(3).map(\.number) == [1, 2, 3])
        #expect(scene.broker.requests.isEmpty)
        #expect(scene.answers.isEmpty)
    }

    @Test("outOfOrder: goes back to the number that is expected")
    func outOfOrder() throws {
        let scene = try Scene()
        for index in 1...3 { try scene.client.submit(body(index)) }
        try scene.greet(last: nil)
        let requests = try scene.take(3)
        try scene.broker.refuse(requests[1], RequestFault(.full, "no room"))
        try scene.broker.refuse(requests[2], RequestFault(.outOfOrder, "gap", expected: 2))
        // Comes last, so that the refusals have been taken when it is handed on.
        try scene.broker.acknowledge(requests[0])
        try scene.awaitAnswers(1)
        scene.clock.advance(10_000 - 1)
        #expect(try scene.take(2).map(\.number) == [2, 3])
    }

    @Test("outOfOrder with a number that was answered: hello anew, and the gap is an error")
    func lostByTheBroker() throws {
        let scene = try Scene()
        try scene.client.submit(body(1))
        try scene.greet(last: nil)
        try scene.broker.acknowledge(try scene.take()[0])
        try scene.awaitAnswers(1)
        try scene.client.submit(body(2))
        try scene.client.submit(body(3))
        let requests = try scene.take(2)
        try scene.broker.refuse(requests[0], RequestFault(.outOfOrder, "gap", expected: 1))
        try scene.wait("the connection is given up") { !scene.client.isConnected }
        scene.clock.advance(100)
        let hello = try #require(try scene.take().last)
        #expect(hello.name == "ration/1 hello")
        // The broker was set up anew: it does not know the publisher.
        try scene.broker.greet(hello, last: nil, log: "log-2")
        let again = try scene.take(2)
        #expect(again.map(\.number) == [1, 2])
        #expect(again.map(\.body) == ["intent 2\n", "intent 3\n"])
        for request in again { try scene.broker.acknowledge(request, log: "log-2") }
        try scene.awaitAnswers(3)
        #expect(scene.answers.map(\.number) == [1, 2, 3], "a caller does not see the new numbers")
        #expect(try scene.client.submit(body(4)) == 4)
        #expect(try scene.take()[0].number == 3)
        #expect(scene.outbox.log == "log-2")
    }

    @Test("a refusal for good uses up the number; alreadyCommitted counts as done")
    func refusals() throws {
        let scene = try Scene()
        for index in 1...2 { try scene.client.submit(body(index)) }
        try scene.greet(last: nil)
        let requests = try scene.take(2)
        let fault = RequestFault(.tooLarge, "5000 lines")
        try scene.broker.refuse(requests[0], fault)
        try scene.broker.refuse(requests[1], RequestFault(.alreadyCommitted, "long ago"))
        try scene.awaitAnswers(2)
        #expect(scene.answers == [.refusal(number: 1, fault), .alreadyCommitted(number: 2)])
        #expect(try scene.client.submit(body(3)) == 3)
    }

    @Test("numberReused stops the client, now and later")
    func numberReused() throws {
        let scene = try Scene()
        try scene.client.submit(body(1))
        try scene.greet(last: nil)
        try scene.broker.refuse(try scene.take()[0], RequestFault(.numberReused, "other bytes"))
        let error = #expect(throws: PublishingError.self) { try scene.wait("the error") { false } }
        #expect(error?.code == .numberReused)
        #expect(throws: PublishingError.self) { try scene.client.submit(body(2)) }
        #expect(try scene.outbox.unacknowledged().count == 1)
    }

    @Test("an outbox that was never used goes on behind the name's last number")
    func newOutbox() throws {
        let scene = try Scene()
        #expect(try scene.client.submit(body(1)) == 1)
        try scene.greet(last: 41)
        let request = try scene.take()[0]
        #expect(request.number == 42)
        try scene.broker.acknowledge(request)
        try scene.awaitAnswers(1)
        #expect(scene.answers[0].number == 1)
        #expect(scene.outbox.nextNumber == 43)
    }

    @Test(
        "an outbox that does not fit the broker's number is an error",
        arguments: [
            (stored: 5...6, last: UInt64(3), code: PublishingError.Code.outboxAhead),
            (stored: 5...6, last: 4, code: nil),
            (stored: 5...6, last: 6, code: nil),
            (stored: 5...6, last: 7, code: .outboxBehind),
        ])
    func fit(stored: ClosedRange<Int>, last: UInt64, code: PublishingError.Code?) throws {
        let outbox = MemoryOutbox()
        outbox.agree(on: "log-1", renumberingFrom: UInt64(stored.lowerBound))
        for number in stored { outbox.store(number: UInt64(number), body: body(number)) }
        let scene = try Scene(outbox: outbox)
        try scene.greet(last: last)
        guard let code else {
            #expect(try scene.take(2).map(\.number) == stored.map(UInt64.init))
            return
        }
        let error = #expect(throws: PublishingError.self) { try scene.wait("the error") { false } }
        #expect(error?.code == code)
    }

    @Test(
        "after a restore the outbox goes on behind the number that the new log has, and tells which it has forgotten",
        arguments: [
            (last: UInt64(3), sent: [UInt64(4), 5], forgotten: UInt64(4)...4 as ClosedRange<UInt64>?),
            (last: 1, sent: [2, 3], forgotten: 2...4), (last: 4, sent: [5, 6], forgotten: nil),
            (last: 5, sent: [5, 6], forgotten: nil),
        ])
    func restored(last: UInt64, sent: [UInt64], forgotten: ClosedRange<UInt64>?) throws {
        let outbox = MemoryOutbox()
        outbox.agree(on: "log-1", renumberingFrom: 5)
        for number in 5...6 { outbox.store(number: UInt64(number), body: body(number)) }
        let scene = try Scene(outbox: outbox)
        try scene.greet(last: last, log: "log-2")
        let requests = try scene.take(2)
        #expect(requests.map(\.number) == sent)
        #expect(scene.client.forgotten == forgotten)
        for request in requests { try scene.broker.acknowledge(request) }
        try scene.awaitAnswers(2)
        #expect(scene.answers.map(\.number) == [5, 6])
        #expect(outbox.log == "log-2" && outbox.nextNumber == sent[1] + 1)
    }

    @Test("a broker that does not know the name any more gets the outbox from 1 on")
    func agedOut() throws {
        let outbox = MemoryOutbox()
        outbox.agree(on: "log-1", renumberingFrom: 5)
        for number in 5...6 { outbox.store(number: UInt64(number), body: body(number)) }
        let scene = try Scene(outbox: outbox)
        try scene.greet(last: nil)
        let requests = try scene.take(2)
        #expect(requests.map(\.number) == [1, 2])
        for request in requests { try scene.broker.acknowledge(request) }
        try scene.awaitAnswers(2)
        #expect(scene.answers.map(\.number) == [5, 6])
        #expect(outbox.nextNumber == 3)
    }

    @Test("without a name: no hello, and what was under way is not sent again")
    func anonymous() throws {
        let scene = try Scene(publisher: "")
        for index in 1...4 { try scene.client.submit(body(index)) }
        let requests = try scene.take(4)
        #expect(requests[0].frames == ["ration/1 publish", "", "1", "intent 1\n"])
        try scene.broker.refuse(requests[1], RequestFault(.busy, "later"))
        try scene.broker.acknowledge(requests[2])
        // Comes last, so that the others have been taken when it is handed on.
        try scene.broker.acknowledge(requests[0])
        try scene.awaitAnswers(1)
        scene.clock.advance(10_000)
        try scene.turn()
        scene.clock.advance(10_000)
        let again = try scene.take()[0]
        #expect(again.frames == ["ration/1 publish", "", "2", "intent 2\n"])
        try scene.broker.acknowledge(again)
        try scene.awaitAnswers(4)
        #expect(scene.answers.map(\.number) == [1, 2, 3, 4])
        #expect(scene.answers[3] == .unknown(number: 4))
        #expect(scene.broker.requests.isEmpty)
        #expect(try scene.outbox.unacknowledged().isEmpty)
    }

    @Test("a body beyond a request's limit is not taken")
    func tooLarge() throws {
        let scene = try Scene()
        let error = #expect(throws: PublishingError.self) {
            try scene.client.submit([UInt8](repeating: 0x20, count: 2 << 20 + 1))
        }
        #expect(error?.code == .tooLarge)
        #expect(scene.client.isDrained)
    }
}
