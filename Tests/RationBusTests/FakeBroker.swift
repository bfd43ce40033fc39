import RationBus
import RationWire
import Synchronization
import Testing

/// A clock that stands still until it is told.
final class ManualClock: MonotonicClock {
    private let now = Atomic<Int64>(1_000)

    var milliseconds: Int64 { now.load(ordering: .relaxed) }

    func advance(_ milliseconds: Int64) {
        now.add(milliseconds, ordering: .relaxed)
    }
}

/// Always the same number: waits are half of the longest.
struct ZeroRandom: RandomNumberGenerator {
    mutating func next() -> UInt64 { 0 }
}

/// What a client has sent.
struct FakeRequest {
    let routingID: [UInt8]
    let frames: [String]

    var name: String { frames.first ?? "" }
    /// The frame before the body.
    var number: UInt64 { frames.count < 2 ? 0 : UInt64(frames[frames.count - 2]) ?? 0 }
    var body: String { frames.last ?? "" }
}

/// A ROUTER that answers as a test says.
final class FakeBroker {
    let context: Context
    private(set) var endpoint: String
    private var router: Socket?
    private var message = Message()
    private(set) var requests: [FakeRequest] = []

    init(in context: Context, at endpoint: String = "tcp://127.0.0.1:*") throws {
        self.context = context
        let router = try Socket(.router, in: context)
        self.endpoint = try router.bind(endpoint)
        self.router = router
    }

    /// Goes away with all connections; the endpoint stays the same for `start`.
    func stop() {
        router?.close()
        router = nil
        requests = []
    }

    func start() throws {
        let router = try Socket(.router, in: context)
        // The old socket's port is free only when libzmq's I/O thread has closed it.
        try waitUntil("the endpoint is free") {
            do {
                try router.bind(endpoint)
                return true
            } catch let error as ZeroMQError where error.code == .addressInUse {
                return false
            }
        }
        self.router = router
    }

    /// Waits for a request.
    /// - Returns: whether `wakeup` came instead.
    func wait(or wakeup: Wakeup) throws -> Bool {
        guard let router else { return true }
        var poller = Poller()
        _ = try poller.add(router)
        let item = poller.add(fileDescriptor: wakeup.fileDescriptor)
        try poller.wait(milliseconds: -1)
        return poller.isReadable(item)
    }

    /// Receives what has come.
    func receive() throws {
        guard let router else { return }
        while try router.receive(into: &message) {
            let frames = (1..<message.frameCount).map { String(decoding: message[$0], as: UTF8.self) }
            requests.append(FakeRequest(routingID: message.bytes(0), frames: frames))
        }
    }

    /// The oldest request that was not taken.
    func take() -> FakeRequest? {
        requests.isEmpty ? nil : requests.removeFirst()
    }

    func answer(_ request: FakeRequest, _ name: String, _ bodies: String...) throws {
        let frames = [bytes(name), bytes("\(request.number)")] + bodies.map(bytes)
        _ = try router?.send([request.routingID] + frames)
    }

    func refuse(_ request: FakeRequest, _ fault: RequestFault) throws {
        try answer(request, "ration/1 error", String(decoding: fault.body, as: UTF8.self))
    }

    func greet(_ request: FakeRequest, last: UInt64?, log: String = "log-1", window: Int = 64) throws {
        let hello = Hello(log: log, last: last, window: window, server: "fake")
        try answer(request, "ration/1 hello", String(decoding: hello.body, as: UTF8.self))
    }

    func acknowledge(_ request: FakeRequest, log: String = "log-1") throws {
        try answer(
            request, "ration/1 ack",
            #"{"log":"\#(log)","batch":7,"now":"2026-12-01T08:00:00.000Z","held":1,"outcomes":"h","problems":[]}"#)
    }
}

/// Tries again until something is so; fails when it takes too long.
func waitUntil(
    _ what: String, _ location: SourceLocation = #_sourceLocation, _ isReached: () throws -> Bool
) throws {
    let end = ContinuousClock.now + .milliseconds(deadlineMilliseconds)
    while try !isReached() {
        try #require(ContinuousClock.now < end, "in time: \(what)", sourceLocation: location)
    }
}
