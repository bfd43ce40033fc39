import RationBus
import Testing

@Suite("Monitors")
struct SocketMonitorTests {
    @Test("connections, handshakes and their ends are counted")
    func counts() throws {
        let context = try Context()
        let router = try Socket(.router, in: context)
        let monitor = try SocketMonitor(router, in: context)
        let endpoint = try router.bind("tcp://127.0.0.1:0")
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect(endpoint)
        try dealer.sendWhenConnected([bytes("x")])
        try monitor.wait { $0.accepted == 1 && $0.handshakeSucceeded == 1 }
        dealer.close()
        try monitor.wait { $0.disconnected == 1 }
        #expect(monitor.counts.handshakeFailed + monitor.counts.handshakeBroken == 0)
    }

    @Test(
        "bytes that are not ZMTP are a handshake that failed",
        arguments: ["GET / HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}"])
    func garbage(text: String) throws {
        let context = try Context()
        let router = try Socket(.router, in: context)
        let monitor = try SocketMonitor(router, in: context)
        let endpoint = try router.bind("tcp://127.0.0.1:0")
        try RawConnection(endpoint).send(text)
        try monitor.wait { $0.handshakeFailed + $0.handshakeBroken + $0.disconnected > 0 }
        #expect(monitor.counts.accepted == 1)
        #expect(monitor.counts.handshakeSucceeded == 0)
    }

    @Test("a monitor that nobody reads holds up neither the socket nor its end")
    func unread() throws {
        let context = try Context()
        let router = try Socket(.router, in: context)
        let monitor = try SocketMonitor(router, in: context)
        let endpoint = try router.bind("tcp://127.0.0.1:0")
        for _ in 0..<1_500 {
            try RawConnection(endpoint).send("not ZMTP\n")
        }
        let dealer = try Socket(.dealer, in: context)
        try dealer.connect(endpoint)
        try dealer.sendWhenConnected([bytes("still here")])
        #expect(try router.nextMessage().last == "still here")
        router.close()
        #expect(try monitor.drain().accepted >= 1_500)
    }

    @Test("a socket goes on after its monitor has gone")
    func monitorGoes() throws {
        let pair = try Pair()
        do {
            let monitor = try SocketMonitor(pair.router, in: pair.context)
            try monitor.drain()
        }
        for _ in 0..<100 {
            try RawConnection(pair.endpoint).send("not ZMTP\n")
        }
        let second = try Socket(.dealer, in: pair.context)
        try second.connect(pair.endpoint)
        try second.sendWhenConnected([bytes("hello")])
        #expect(try pair.router.nextMessage().last == "hello")
    }
}
