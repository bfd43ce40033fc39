import Glibc
import RationBus
import RationModel
import RationWire

/// Sends rendered requests as fast as they are acknowledged, with a full window; the same for every server.
final class Publisher {
    private static let name = Array("bench".utf8)
    private static let firstFrame = Array(RequestName.publish.frame.utf8)
    /// Without an answer for so long the server counts as gone.
    private static let patienceMilliseconds = 30_000

    private let socket: Socket
    private var poller = Poller()
    private var message = Message()
    private var nextNumber: UInt64 = 1

    /// The broker does not know the publisher yet.
    init(_ endpoint: String, in context: Context) throws {
        socket = try Socket(.dealer, in: context)
        try socket.connect(endpoint)
        let item = try poller.add(socket, .writable)
        guard try poller.wait(milliseconds: Self.patienceMilliseconds) > 0 else {
            throw BenchmarkError("nobody answers at \(endpoint)")
        }
        poller.setInterest(.readable, of: item)
    }

    /// Publishes all requests.
    /// - Returns: seconds from the first request to the last acknowledgement.
    func publish(_ requests: Requests) throws -> Double {
        let start = Self.seconds()
        var sent = 0
        var acknowledged = 0
        while acknowledged < requests.count {
            while sent < requests.count, sent - acknowledged < Limits.publisherWindow, try send(sent, of: requests) {
                sent += 1
            }
            var isIdle = true
            while try socket.receive(into: &message) {
                try check(requests, isFirst: acknowledged == 0)
                acknowledged += 1
                isIdle = false
            }
            if isIdle, try poller.wait(milliseconds: Self.patienceMilliseconds) == 0 {
                throw BenchmarkError("no acknowledgement within \(Self.patienceMilliseconds / 1_000) s")
            }
        }
        return Self.seconds() - start
    }

    private func send(_ index: Int, of requests: Requests) throws -> Bool {
        let number = Array(String(nextNumber).utf8)
        let result = try Self.firstFrame.withUnsafeBytes { first in
            try Self.name.withUnsafeBytes { name in
                try number.withUnsafeBytes { number in
                    try requests.withBody(index) { try socket.send(first, name, number, $0) }
                }
            }
        }
        if result == .sent { nextNumber += 1 }
        return result == .sent
    }

    /// Each answer must be an acknowledgement, and in the first one every intent must be pending.
    private func check(_ requests: Requests, isFirst: Bool) throws {
        guard message.frameCount == 3, message[0].count == Frame.acknowledgement.utf8CodeUnitCount else {
            throw BenchmarkError(
                "a request was refused: \(String(decoding: message.bytes(message.frameCount - 1), as: UTF8.self))")
        }
        guard isFirst else { return }
        let acknowledgement = try Acknowledgement(number: 0, body: message[2])
        guard acknowledgement.count(.held) + acknowledgement.count(.queued) == requests.intentsEach else {
            throw BenchmarkError("not every intent was taken: \(acknowledgement)")
        }
    }

    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
