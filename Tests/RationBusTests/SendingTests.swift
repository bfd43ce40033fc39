import RationBus
import Testing

@Suite("Sending")
struct SendingTests {
    /// Frames long enough to fill the kernel's buffers soon.
    private static let body = [UInt8](repeating: 7, count: 256 << 10)

    /// Sends numbered messages until one is not taken.
    private func fill(_ socket: Socket, to routingID: [UInt8]?) throws -> (sent: Int, last: SendResult) {
        let front = routingID.map { [$0] } ?? []
        for number in 0..<10_000 {
            let result = try socket.send(front + [bytes("\(number)"), Self.body, bytes("end")])
            if result != .sent { return (number, result) }
        }
        return (10_000, .sent)
    }

    private func expectWhole(_ count: Int, on socket: Socket, skipping front: Int) throws {
        var message = Message()
        for number in 0..<count {
            try socket.wait(for: &message)
            #expect(message.frameCount == front + 3)
            #expect(message.bytes(front) == bytes("\(number)"))
            #expect(message[front + 1].count == Self.body.count)
            #expect(message.bytes(front + 2) == bytes("end"))
        }
        #expect(try socket.staysSilent())
    }

    @Test("a ROUTER whose peer does not read would block, and every message that was sent arrives whole")
    func routerIsFull() throws {
        var server = SocketOptions.server
        server.sendHighWaterMark = 4
        var client = SocketOptions.client
        client.receiveHighWaterMark = 1
        let pair = try Pair(router: server, dealer: client)
        let (sent, last) = try fill(pair.router, to: pair.routingID)
        #expect(last == .wouldBlock)
        #expect(sent > 0)
        try expectWhole(sent, on: pair.dealer, skipping: 0)
        #expect(try pair.router.send([pair.routingID, bytes("again")]) == .sent)
        #expect(try pair.dealer.nextMessage() == ["again"])
    }

    @Test("a DEALER whose peer does not read would block, and every message that was sent arrives whole")
    func dealerIsFull() throws {
        var server = SocketOptions.server
        server.receiveHighWaterMark = 1
        var client = SocketOptions.client
        client.sendHighWaterMark = 4
        let pair = try Pair(router: server, dealer: client)
        let (sent, last) = try fill(pair.dealer, to: nil)
        #expect(last == .wouldBlock)
        #expect(sent > 0)
        try expectWhole(sent, on: pair.router, skipping: 1)
        try pair.dealer.sendWhenConnected([bytes("again")])
        #expect(try pair.router.nextMessage().last == "again")
    }

    @Test("an XPUB never blocks: a subscriber that does not read loses messages, whole ones")
    func publisherDrops() throws {
        let context = try Context()
        var options = SocketOptions.publisher
        options.sendHighWaterMark = 4
        let publisher = try Socket(.xpub, in: context, options: options)
        let endpoint = try publisher.bind("tcp://127.0.0.1:0")
        options = .subscriber
        options.receiveHighWaterMark = 1
        let subscriber = try Socket(.sub, in: context, options: options)
        try subscriber.subscribe("")
        try subscriber.connect(endpoint)
        _ = try publisher.nextMessage()

        for number in 0..<200 {
            #expect(try publisher.send([bytes("\(number)"), Self.body, bytes("end")]) == .sent)
        }
        var message = Message()
        var received = 0
        repeat {
            try subscriber.wait(for: &message)
            #expect(message.frameCount == 3)
            #expect(message.bytes(2) == bytes("end"))
            received += 1
        } while try !subscriber.staysSilent()
        #expect(received < 200)
    }

    @Test("a DEALER without a connection would block")
    func noConnection() throws {
        let context = try Context()
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect("tcp://127.0.0.1:1")
        #expect(try dealer.send([bytes("a"), bytes("b")]) == .wouldBlock)
    }

    @Test("an unknown peer is unreachable")
    func unknownPeer() throws {
        let pair = try Pair()
        #expect(try pair.router.send([bytes("nobody"), bytes("hello?")]) == .unreachable)
        #expect(try pair.router.send([pair.routingID, bytes("whole")]) == .sent)
        #expect(try pair.dealer.nextMessage() == ["whole"])
    }

    @Test("a peer that has gone is unreachable")
    func peerHasGone() throws {
        let pair = try Pair()
        let monitor = try SocketMonitor(pair.router, in: pair.context)
        pair.dealer.close()
        try monitor.wait { $0.disconnected == 1 }
        // libzmq tells the socket's owner a moment after its monitor.
        let end = ContinuousClock.now.advanced(by: .milliseconds(deadlineMilliseconds))
        var poller = Poller()
        _ = try poller.add(pair.router)
        var result = SendResult.sent
        while result != .unreachable, ContinuousClock.now < end {
            try poller.wait(milliseconds: 1)
            result = try pair.router.send([pair.routingID, bytes("hello?")])
        }
        #expect(result == .unreachable)
    }

    @Test("a connection that ends in the middle of a message leaves no half of it", arguments: [true, false])
    func brokenMessage(moreWasToCome: Bool) throws {
        var client = SocketOptions.client
        client.sendsToCompleteConnectionsOnly = false
        let pair = try Pair(dealer: client)
        let second = try Socket(.router, in: pair.context)
        let endpoint = try second.bind("tcp://127.0.0.1:0")
        func frame(_ text: String, more: Bool) throws -> SendResult {
            try bytes(text).withUnsafeBytes { try pair.dealer.sendFrame($0, more: more) }
        }

        #expect(try frame("first half", more: true) == .sent)
        try pair.dealer.disconnect(pair.endpoint)
        #expect(try frame("second half", more: moreWasToCome) == .wouldBlock)
        try pair.dealer.connect(endpoint)
        try pair.dealer.sendWhenConnected([bytes("whole"), bytes("message")])
        #expect(try second.nextMessage().dropFirst() == ["whole", "message"])
        #expect(try pair.router.staysSilent())
    }

    @Test("a message cannot begin in the middle of another, nor without frames")
    func messageInMessage() throws {
        let pair = try Pair()
        let empty = #expect(throws: ZeroMQError.self) { _ = try pair.dealer.send([[UInt8]]()) }
        #expect(empty?.code == .invalidArgument)
        #expect(try bytes("a").withUnsafeBytes { try pair.dealer.sendFrame($0, more: true) } == .sent)
        let nested = #expect(throws: ZeroMQError.self) { _ = try pair.dealer.send([bytes("b")]) }
        #expect(nested?.code == .wrongState)
        #expect(try bytes("c").withUnsafeBytes { try pair.dealer.sendFrame($0, more: false) } == .sent)
        #expect(try pair.router.nextMessage().dropFirst() == ["a", "c"])
    }

    @Test("a REQ that waits for its answer refuses a second question")
    func secondQuestion() throws {
        let pair = try Pair()
        let client = try Socket(.req, in: pair.context)
        try client.connect(pair.endpoint)
        try client.sendWhenConnected([bytes("one")])
        #expect(#expect(throws: ZeroMQError.self) { _ = try client.send([bytes("two")]) }?.code == .wrongState)
    }
}
