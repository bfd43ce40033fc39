import Foundation
import RationBus

/// A ROUTER that gives a page whose bytes it has ready to whoever asks, and says yes to whoever brings one: what the sockets
/// alone can do. A process of its own.
enum PageServer {
    static let argument = "--pages"
    /// The first frame of a question; a message with a page has no such frame.
    static let question: [UInt8] = Array("page".utf8)

    /// Prints its endpoint and serves until it is ended.
    static func run(bytes: Int) throws {
        let socket = try Socket(.router, in: Context())
        let endpoint = try socket.bind("tcp://127.0.0.1:0")
        FileHandle.standardOutput.write(Data("\(endpoint)\n".utf8))
        let page = [UInt8](repeating: 0x61, count: bytes)
        var message = Message()
        var poller = Poller()
        _ = try poller.add(socket)
        while true {
            while try socket.receive(into: &message) {
                let isQuestion = message[1].elementsEqual(question)
                let result = try page.withUnsafeBytes { page in
                    try socket.send(message[0], UnsafeRawBufferPointer(rebasing: page[..<(isQuestion ? bytes : 1)]))
                }
                guard result == .sent else { throw BenchmarkError("the client takes no answer") }
            }
            try poller.wait(milliseconds: -1)
        }
    }
}

/// The other end of a `PageServer`.
final class PageClient {
    private static let window = 64
    private static let patienceMilliseconds = 30_000

    private let server: Child
    private let socket: Socket
    private let page: [UInt8]
    private var message = Message()
    private var poller = Poller()

    init(pageBytes: Int, in context: Context) throws {
        server = try Child(Child.own.path, [PageServer.argument, "\(max(1, pageBytes))"])
        page = [UInt8](repeating: 0x62, count: max(1, pageBytes))
        socket = try Socket(.dealer, in: context)
        try socket.connect(try server.line())
        let item = try poller.add(socket, .writable)
        guard try poller.wait(milliseconds: Self.patienceMilliseconds) > 0 else {
            throw BenchmarkError("the server of pages does not answer")
        }
        poller.setInterest(.readable, of: item)
    }

    /// Sends pages, with a window of 64.
    func streamedBytesPerSecond(pages: Int) throws -> Double {
        try bytesPerSecond(pages: pages, window: Self.window, sending: page)
    }

    /// Asks for one page after the other.
    func askedBytesPerSecond(pages: Int) throws -> Double {
        try bytesPerSecond(pages: pages, window: 1, sending: PageServer.question)
    }

    private func bytesPerSecond(pages: Int, window: Int, sending frame: [UInt8]) throws -> Double {
        var (sent, answered) = (0, 0)
        let seconds = try MachineClock.seconds {
            while answered < pages {
                while sent < pages, sent - answered < window, try send(frame) { sent += 1 }
                guard try poller.wait(milliseconds: Self.patienceMilliseconds) > 0 else {
                    throw BenchmarkError("the server of pages does not answer")
                }
                while try socket.receive(into: &message) { answered += 1 }
            }
        }
        return Double(pages * page.count) / seconds
    }

    private func send(_ frame: [UInt8]) throws -> Bool {
        try frame.withUnsafeBytes { try socket.send($0) } == .sent
    }
}
