import RationBus
import Testing

@Suite("Receiving")
struct ReceivingTests {
    @Test("without a message receiving returns at once and holds nothing")
    func nothing() throws {
        let pair = try Pair()
        var message = Message()
        #expect(try pair.dealer.send([bytes("a"), bytes("b")]) == .sent)
        try pair.router.wait(for: &message)
        #expect(message.frameCount == 3)
        #expect(try !pair.router.receive(into: &message))
        #expect(message.frameCount == 0)
        #expect(message.droppedFrames == 0)
    }

    @Test("of 10,000 empty frames 16 are kept, and the next message is whole")
    func manyFrames() throws {
        let pair = try Pair()
        #expect(try pair.dealer.send([[UInt8]](repeating: [], count: 10_000)) == .sent)
        #expect(try pair.dealer.send([bytes("next")]) == .sent)
        var message = Message()
        try pair.router.wait(for: &message)
        #expect(message.frameCount == 16)
        #expect(message.droppedFrames == 10_001 - 16)
        try pair.router.wait(for: &message)
        #expect(message.frameCount == 2)
        #expect(message.droppedFrames == 0)
        #expect(message.bytes(1) == bytes("next"))
    }

    @Test("exactly as many frames as there are places are all kept", arguments: [3, 4, 5])
    func edge(count: Int) throws {
        let pair = try Pair()
        #expect(try pair.dealer.send((1..<count).map { bytes("\($0)") }) == .sent)
        var message = Message(maximumFrames: 4)
        try pair.router.wait(for: &message)
        #expect(message.frameCount == min(4, count))
        #expect(message.droppedFrames == max(0, count - 4))
        #expect(message.bytes(2) == bytes("2"))
    }

    @Test("a frame over the limit costs its sender the connection and nobody else anything", arguments: [0, 1])
    func oversized(over: Int) throws {
        var options = SocketOptions.server
        options.maximumMessageBytes = 1_000
        let pair = try Pair(router: options)
        let monitor = try SocketMonitor(pair.router, in: pair.context)
        let other = try Socket(.dealer, in: pair.context)
        try other.connect(pair.endpoint)
        try other.sendWhenConnected([bytes("before")])
        #expect(try pair.router.nextMessage().last == "before")

        #expect(try pair.dealer.send([[UInt8](repeating: 1, count: 1_000 + over)]) == .sent)
        if over == 0 {
            #expect(try pair.router.nextMessage().last?.utf8.count == 1_000)
        } else {
            try monitor.wait { $0.disconnected == 1 }
        }
        #expect(try other.send([bytes("after")]) == .sent)
        #expect(try pair.router.nextMessage().last == "after")
        #expect(try monitor.drain().disconnected == over)
    }
}
