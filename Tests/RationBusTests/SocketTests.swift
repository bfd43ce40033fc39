import Foundation
import RationBus
import Testing

@Suite("Sockets")
struct SocketTests {
    @Test("port 0 gives a real port that can be connected to")
    func freePort() throws {
        let pair = try Pair()
        #expect(pair.endpoint.hasPrefix("tcp://127.0.0.1:"))
        #expect(!pair.endpoint.hasSuffix(":0"))
    }

    @Test("an IPv6 endpoint in brackets is bound and reached")
    func ipv6() throws {
        let context = try Context()
        let router = try Socket(.router, in: context)
        let endpoint = try router.bind("tcp://[::1]:0")
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect(endpoint)
        try dealer.sendWhenConnected([bytes("over six")])
        #expect(try router.nextMessage().last == "over six")
    }

    @Test("a REQ gets its answer when routing id and envelope are given back", arguments: [false, true])
    func request(correlates: Bool) throws {
        let context = try Context()
        let router = try Socket(.router, in: context)
        let endpoint = try router.bind("tcp://127.0.0.1:0")
        var options = SocketOptions.client
        options.correlatesRequests = correlates
        let client = try Socket(.req, in: context, options: options)
        try client.connect(endpoint)
        try client.sendWhenConnected([bytes("ration/1 status"), bytes("1"), bytes("{}")])

        var message = Message()
        try router.wait(for: &message)
        let split = Envelope.split(message)
        let envelope = try #require(split)
        #expect(envelope.payload.count == 3)
        #expect(envelope.envelope.count == (correlates ? 2 : 1))
        for index in envelope.returned {
            #expect(try router.sendFrame(message[index], more: true) == .sent)
        }
        let answer = ["ration/1 status", "1"]
        for (index, text) in answer.enumerated() {
            let result = try bytes(text).withUnsafeBytes { try router.sendFrame($0, more: index < answer.count - 1) }
            #expect(result == .sent)
        }
        #expect(try client.nextMessage() == answer)
    }

    @Test("a REP answers a REQ")
    func reply() throws {
        let context = try Context()
        let server = try Socket(.rep, in: context)
        let endpoint = try server.bind("tcp://127.0.0.1:0")
        let client = try Socket(.req, in: context)
        try client.connect(endpoint)
        try client.sendWhenConnected([bytes("question")])
        #expect(try server.nextMessage() == ["question"])
        #expect(try server.send([bytes("answer")]) == .sent)
        #expect(try client.nextMessage() == ["answer"])
    }

    @Test("a DEALER's message reaches a ROUTER as it is, with the routing id in front")
    func dealer() throws {
        let pair = try Pair()
        #expect(try pair.dealer.send([bytes("a"), [], bytes("b")]) == .sent)
        let frames = try pair.router.nextMessage()
        #expect(Array(frames.dropFirst()) == ["a", "", "b"])
        #expect(try pair.router.send([pair.routingID, bytes("back")]) == .sent)
        #expect(try pair.dealer.nextMessage() == ["back"])
    }

    @Test("an XPUB reads subscriptions, and a SUB gets what starts with its prefix only")
    func publish() throws {
        let context = try Context()
        let publisher = try Socket(.xpub, in: context)
        let endpoint = try publisher.bind("tcp://127.0.0.1:0")
        let subscriber = try Socket(.sub, in: context)
        try subscriber.subscribe("due/")
        try subscriber.connect(endpoint)

        var message = Message()
        try publisher.wait(for: &message)
        #expect(Subscription(message[0]) == Subscription(isActive: true, prefix: "due/"))
        #expect(try publisher.send([bytes("evicted/habit"), bytes("1")]) == .sent)
        #expect(try publisher.send([bytes("due/habit"), bytes("2")]) == .sent)
        #expect(try subscriber.nextMessage() == ["due/habit", "2"])

        try subscriber.unsubscribe("due/")
        try publisher.wait(for: &message)
        #expect(Subscription(message[0]) == Subscription(isActive: false, prefix: "due/"))
    }

    @Test(
        "a second subscriber's equal subscription is reported only where that is asked for", arguments: [false, true])
    func verbose(isReported: Bool) throws {
        let context = try Context()
        var options = SocketOptions.publisher
        options.reportsEverySubscription = isReported
        let publisher = try Socket(.xpub, in: context, options: options)
        let endpoint = try publisher.bind("tcp://127.0.0.1:0")
        var subscribers: [Socket] = []
        // A SUB sends its subscriptions in the order of their bytes.
        for prefix in ["unique 1", "unique 2"] {
            let subscriber = try Socket(.sub, in: context)
            try subscriber.subscribe("same")
            try subscriber.subscribe(prefix)
            try subscriber.connect(endpoint)
            subscribers.append(subscriber)
            var reported: [String] = []
            repeat {
                reported += try publisher.nextMessage()
            } while reported.last != "\u{1}\(prefix)"
            #expect(reported.contains("\u{1}same") == (isReported || prefix == "unique 1"))
        }
    }

    @Test("an ipc endpoint can be used by its owner only")
    func mode() throws {
        try withTemporaryFolder { folder in
            let context = try Context()
            let router = try Socket(.router, in: context)
            try router.bind("ipc://\(folder)/admin")
            var status = stat()
            #expect(stat("\(folder)/admin", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test("an error names operation, endpoint and code")
    func errors() throws {
        let pair = try Pair()
        let second = try Socket(.router, in: pair.context)
        let taken = #expect(throws: ZeroMQError.self) { try second.bind(pair.endpoint) }
        #expect(taken?.code == .addressInUse)
        #expect(taken?.endpoint == pair.endpoint)
        #expect(taken?.operation == "bind")
        #expect(taken?.isRetryable == true)
        let unknown = #expect(throws: ZeroMQError.self) { try second.connect("carrier://pigeon") }
        #expect(unknown?.code == .unknownTransport)
        #expect(unknown?.isRetryable == false)
        let absent = #expect(throws: ZeroMQError.self) { try second.disconnect("tcp://127.0.0.1:1") }
        #expect(absent?.code == .notFound)
    }

    @Test("an option out of its range is refused by name", arguments: [-7, 1 << 40])
    func optionRange(value: Int) throws {
        let context = try Context()
        var options = SocketOptions()
        options.sendHighWaterMark = value
        let error = #expect(throws: ZeroMQError.self) { _ = try Socket(.dealer, in: context, options: options) }
        #expect(error?.code == .invalidArgument)
        #expect(error?.operation == "set sendHighWaterMark to \(value)")
    }

    @Test("a closed socket says so")
    func closed() throws {
        let context = try Context()
        let socket = try Socket(.dealer, in: context)
        var poller = Poller()
        _ = try poller.add(socket)
        socket.close()
        socket.close()
        #expect(!socket.isOpen)
        #expect(#expect(throws: ZeroMQError.self) { _ = try socket.send([bytes("x")]) }?.code == .closed)
        var caught: ZeroMQError?
        do throws(ZeroMQError) { try poller.wait(milliseconds: 0) } catch { caught = error }
        #expect(caught?.code == .closed)
    }

    @Test("a call from a thread that does not own the socket traps")
    func wrongThread() async {
        await #expect(processExitsWith: .failure) {
            nonisolated(unsafe) let socket = try Socket(.dealer, in: Context())
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                _ = try? socket.send([[1]])
                done.signal()
            }
            done.wait()
        }
    }

    @Test("a thread that adopts a socket may use it")
    func adopted() throws {
        let pair = try Pair()
        nonisolated(unsafe) let dealer = pair.dealer
        nonisolated(unsafe) var result: SendResult?
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            dealer.adopt()
            result = try? dealer.send([bytes("from there")])
            done.signal()
        }
        done.wait()
        dealer.adopt()
        #expect(result == .sent)
        #expect(try pair.router.nextMessage().last == "from there")
    }
}

extension Subscription {
    /// As a subscriber would send it.
    init?(isActive: Bool, prefix: String) {
        let frame = [isActive ? 1 : 0] + bytes(prefix)
        guard let subscription = frame.withUnsafeBytes({ Subscription($0) }) else { return nil }
        self = subscription
    }
}
