import Glibc
import RationBus
import RationModel
import RationWire

/// Several publishers of one broker in one thread, each with a full window or all together at a given pace.
final class Intake {
    /// What a load has brought.
    struct Result {
        var requests = 0
        var seconds = 0.0
        /// Nanoseconds from the instant at which each request was due to its acknowledgement.
        var latencies = Latencies()
    }

    /// When a load ends: after so many requests, or with the first request that is due later.
    enum End {
        case requests(Int)
        case seconds(Double)
    }

    private static let patienceMilliseconds = 60_000

    private var publishers: [LoadPublisher]
    private var poller = Poller()

    /// - Parameters:
    ///   - endpoint: the broker's for intents.
    ///   - name: the beginning of the publishers' names, which the broker does not know yet.
    ///   - window: unacknowledged requests of each, at most `Limits.publisherWindow`.
    init(
        _ endpoint: String, publishers count: Int, named name: String = "bench", window: Int = Limits.publisherWindow,
        in context: Context
    ) throws {
        publishers = try (0..<count).map { try LoadPublisher(endpoint, named: "\(name)-\($0)", window, in: context) }
        for publisher in publishers {
            let item = try poller.add(publisher.socket, .writable)
            guard try poller.wait(milliseconds: Self.patienceMilliseconds) > 0 else {
                throw BenchmarkError("nobody answers at \(endpoint)")
            }
            poller.setInterest(.readable, of: item)
        }
    }

    /// Publishes until the end, and waits for all acknowledgements.
    /// - Parameters:
    ///   - first: the place of the first request's body.
    ///   - rate: requests a second, of all publishers together; nil: as fast as they are acknowledged.
    func publish(_ bodies: some RequestBodies, from first: Int = 0, until end: End, rate: Double? = nil) throws
        -> Result
    {
        var result = Result()
        let start = MachineClock.nanoseconds()
        var sent = 0
        while true {
            let now = MachineClock.nanoseconds()
            let due = Self.due(end, rate, seconds: Double(now - start) / 1e9)
            while sent < due.requests, try send(bodies, first + sent, start: start, place: sent, rate: rate) {
                sent += 1
            }
            let received = try receive(into: &result, intentsEach: bodies.intentsEach)
            if result.requests == sent, due.isLast, sent >= due.requests { break }
            if received == 0 { try wait(isPaced: rate != nil) }
        }
        result.seconds = Double(MachineClock.nanoseconds() - start) / 1e9
        return result
    }

    /// How many requests are due, and whether no later ones follow.
    private static func due(_ end: End, _ rate: Double?, seconds: Double) -> (requests: Int, isLast: Bool) {
        switch (end, rate) {
        case (.requests(let count), nil): (count, true)
        case (.requests(let count), let rate?):
            (min(count, Int(seconds * rate) + 1), seconds * rate >= Double(count - 1))
        case (.seconds(let limit), nil): seconds < limit ? (.max, false) : (0, true)
        case (.seconds(let limit), let rate?): (Int(min(seconds, limit) * rate) + 1, seconds >= limit)
        }
    }

    /// Gives a request to the publisher with the emptiest window.
    /// - Returns: whether one took it.
    private func send(
        _ bodies: some RequestBodies, _ index: Int, start: Int, place: Int, rate: Double?
    ) throws -> Bool {
        guard let least = publishers.indices.min(by: { publishers[$0].underWay < publishers[$1].underWay }) else {
            return false
        }
        let dueAt = rate.map { start + Int(Double(place) / $0 * 1e9) } ?? MachineClock.nanoseconds()
        return try publishers[least].send(bodies, index, dueAt: dueAt)
    }

    /// - Returns: how many acknowledgements there were.
    private func receive(into result: inout Result, intentsEach: Int) throws -> Int {
        var received = 0
        for index in publishers.indices {
            while let latency = try publishers[index].receive(intentsEach: intentsEach) {
                result.latencies.add(latency)
                received += 1
            }
        }
        result.requests += received
        return received
    }

    private func wait(isPaced: Bool) throws {
        if isPaced {
            // The next request is due within microseconds or milliseconds.
            try poller.wait(milliseconds: 1)
        } else if try poller.wait(milliseconds: Self.patienceMilliseconds) == 0 {
            throw BenchmarkError("no acknowledgement within \(Self.patienceMilliseconds / 1_000) s")
        }
    }
}

/// One publisher with its numbers and its window.
struct LoadPublisher {
    private static let firstFrame = Array(RequestName.publish.frame.utf8)

    let socket: Socket
    private let name: [UInt8]
    private let window: Int
    private let message: MessageBox
    private var nextNumber: UInt64 = 1
    private var received = 0
    /// When the unacknowledged ones were due, oldest first.
    private var dueTimes: [Int] = []
    private var head = 0

    var underWay: Int { dueTimes.count - head }

    init(_ endpoint: String, named name: String, _ window: Int, in context: Context) throws {
        socket = try Socket(.dealer, in: context)
        try socket.connect(endpoint)
        self.name = Array(name.utf8)
        self.window = window
        message = MessageBox()
    }

    /// - Returns: whether it was sent; not with a full window.
    mutating func send(_ bodies: some RequestBodies, _ index: Int, dueAt: Int) throws -> Bool {
        guard underWay < window else { return false }
        let number = Array(String(nextNumber).utf8)
        let result = try Self.firstFrame.withUnsafeBytes { first in
            try name.withUnsafeBytes { name in
                try number.withUnsafeBytes { number in
                    try bodies.withBody(index) { try socket.send(first, name, number, $0) }
                }
            }
        }
        guard result == .sent else { return false }
        nextNumber += 1
        dueTimes.append(dueAt)
        return true
    }

    /// - Returns: nanoseconds since the request of the next acknowledgement was due; nil if there is none.
    /// - Throws: `BenchmarkError` for an answer that is no acknowledgement, and for one of which not all is pending.
    mutating func receive(intentsEach: Int) throws -> Int? {
        guard try socket.receive(into: &message.message) else { return nil }
        guard message.message.frameCount == 3,
            message.message[0].count == Frame.acknowledgement.utf8CodeUnitCount
        else {
            let last = message.message.bytes(message.message.frameCount - 1)
            throw BenchmarkError("a request was refused: \(String(decoding: last, as: UTF8.self))")
        }
        // The first and some others are enough, since looking takes time, too.
        if received & 0xFF == 0 { try check(intentsEach) }
        received += 1
        let latency = MachineClock.nanoseconds() - dueTimes[head]
        head += 1
        if head == window {
            dueTimes.removeFirst(head)
            head = 0
        }
        return latency
    }

    private func check(_ intentsEach: Int) throws {
        let acknowledgement = try Acknowledgement(number: 0, body: message.message[2])
        let pending = [Outcome.held, .queued, .unchanged].map(acknowledgement.count).reduce(0, +)
        guard pending == intentsEach else { throw BenchmarkError("not every intent was taken: \(acknowledgement)") }
    }
}

/// A message that values can share.
final class MessageBox {
    var message = Message()
}
