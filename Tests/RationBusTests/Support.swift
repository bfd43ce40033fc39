import Glibc
import RationBus
import Testing

/// The longest wait for something that has to happen.
let deadlineMilliseconds = 10_000

/// A frame to and from text.
func bytes(_ text: String) -> [UInt8] {
    Array(text.utf8)
}

extension Socket {
    /// The next message as text, a string a frame; fails when none comes in time.
    func nextMessage(_ location: SourceLocation = #_sourceLocation) throws -> [String] {
        var message = Message()
        try wait(for: &message, location)
        return (0..<message.frameCount).map { String(decoding: message[$0], as: UTF8.self) }
    }

    func wait(for message: inout Message, _ location: SourceLocation = #_sourceLocation) throws {
        var poller = Poller()
        _ = try poller.add(self)
        let ready = try poller.wait(milliseconds: deadlineMilliseconds)
        try #require(ready == 1, "no message came", sourceLocation: location)
        try #require(try receive(into: &message), sourceLocation: location)
    }

    /// Whether no message comes within a time that is long for one that is already on its way.
    func staysSilent() throws -> Bool {
        var poller = Poller()
        _ = try poller.add(self)
        return try poller.wait(milliseconds: 50) == 0
    }

    /// Waits until a connection is there, then sends.
    func sendWhenConnected(_ frames: [[UInt8]], _ location: SourceLocation = #_sourceLocation) throws {
        var poller = Poller()
        let index = try poller.add(self, .writable)
        try poller.wait(milliseconds: deadlineMilliseconds)
        try #require(poller.isWritable(index), "no connection came", sourceLocation: location)
        try #require(try send(frames) == .sent, sourceLocation: location)
    }
}

extension SocketMonitor {
    /// Waits until the counts are as they should be.
    func wait(until isReached: (Counts) -> Bool, _ location: SourceLocation = #_sourceLocation) throws {
        var poller = Poller()
        _ = try poller.add(events)
        while !isReached(try drain()) {
            let ready = try poller.wait(milliseconds: deadlineMilliseconds)
            try #require(ready == 1, "counts stay at \(counts)", sourceLocation: location)
        }
    }
}

/// A ROUTER on a free port and a DEALER that it knows.
struct Pair {
    let context: Context
    let router: Socket
    let dealer: Socket
    let endpoint: String
    let routingID: [UInt8]

    init(router routerOptions: SocketOptions = .server, dealer dealerOptions: SocketOptions = .client) throws {
        context = try Context()
        router = try Socket(.router, in: context, options: routerOptions)
        endpoint = try router.bind("tcp://127.0.0.1:0")
        dealer = try Socket(.dealer, in: context, options: dealerOptions)
        try dealer.connect(endpoint)
        try dealer.sendWhenConnected([bytes("hello")])
        var message = Message()
        try router.wait(for: &message)
        routingID = message.bytes(0)
    }
}

/// A TCP connection without ZeroMQ.
final class RawConnection {
    private let descriptor: Int32

    /// - Parameter endpoint: `tcp://127.0.0.1:PORT`.
    init(_ endpoint: String) throws {
        let port = try #require(endpoint.split(separator: ":").last.flatMap { UInt16($0) })
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0, "connect: \(errno)")
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) {
        let data = bytes(text)
        _ = Glibc.send(descriptor, data, data.count, Int32(MSG_NOSIGNAL))
    }
}

/// A new folder, removed with its content at the end.
func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
    var template = Array("/tmp/ration-bus-XXXXXX".utf8CString)
    let path = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
        unlink(path + "/admin")
        rmdir(path)
    }
    return try body(path)
}
