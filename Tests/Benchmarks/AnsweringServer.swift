import Foundation
import RationBus
import RationModel
import RationWire

/// A ROUTER that acknowledges each request without looking at it: what the sockets alone can do. A process of its own.
struct AnsweringServer: ~Copyable {
    static let argument = "--answer"

    private let socket: Socket
    /// As long as a broker's, by intents of the request.
    private let bodies: [Int: [UInt8]]
    private var message = Message()

    /// Prints its endpoint and serves until it is ended.
    static func run() throws {
        let socket = try Socket(.router, in: Context())
        let endpoint = try socket.bind("tcp://127.0.0.1:0")
        FileHandle.standardOutput.write(Data("\(endpoint)\n".utf8))
        var server = AnsweringServer(socket: socket)
        try server.serve()
    }

    private init(socket: Socket) {
        self.socket = socket
        let writer = AcknowledgementWriter(log: "0123456789abcdef")
        bodies = Dictionary(
            uniqueKeysWithValues: Benchmark.packs.map { intents in
                let outcomes = [Outcome](repeating: .held, count: intents)
                let now = Instant(milliseconds: 0)
                let problems: [AcknowledgementWriter.Problem] = []
                return (intents, writer.body(batch: 1_000, now: now, outcomes: outcomes[...], problems: problems))
            })
    }

    private mutating func serve() throws {
        var poller = Poller()
        _ = try poller.add(socket)
        while true {
            while try socket.receive(into: &message) { try answer() }
            try poller.wait(milliseconds: -1)
        }
    }

    /// The frames are the routing id, the name, the publisher, the number and the body.
    private mutating func answer() throws {
        guard message.frameCount == 5, let body = bodies[message[4].count / Requests.lineBytes] else {
            throw BenchmarkError("not a request of this benchmark")
        }
        let name = UnsafeRawBufferPointer(
            start: Frame.acknowledgement.utf8Start, count: Frame.acknowledgement.utf8CodeUnitCount)
        let result = try body.withUnsafeBytes { try socket.send(message[0], name, message[3], $0) }
        guard result == .sent else { throw BenchmarkError("the publisher takes no acknowledgement") }
    }
}
