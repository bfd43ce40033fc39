import Glibc
import RationBus
import RationModel
import RationWire
import Synchronization

/// A simulated broker behind real sockets, served by a thread of its own.
final class BrokerServer: Sendable {
    private struct State: ~Copyable {
        let broker = SimulatedBroker()
        var isAnswering = true
    }

    private let state = Mutex(State())
    private let ended = Mutex(false)
    private let endpoints = Mutex<(intents: String, queries: String)>(("", ""))
    private let wakeup: Wakeup
    private let isReady: Wakeup

    var intents: String { endpoints.withLock { $0.intents } }
    var queries: String { endpoints.withLock { $0.queries } }

    init(in context: Context) throws {
        (wakeup, isReady) = (try Wakeup(), try Wakeup())
        startThread { [self] in
            do { try serve(context) } catch { print("broker server: \(error)") }
            isReady.signal()
        }
        try awaitThread()
    }

    /// Waits until it is served, or no more.
    private func awaitThread() throws {
        var poller = Poller()
        _ = poller.add(fileDescriptor: isReady.fileDescriptor)
        try poller.wait(milliseconds: 10_000)
        isReady.drain()
    }

    /// Looks at the broker, or changes something.
    func with<Result: Sendable>(_ body: (SimulatedBroker) throws -> sending Result) rethrows -> Result {
        try state.withLock { try body($0.broker) }
    }

    /// Whether requests are answered; if not they are lost.
    func setAnswering(_ isAnswering: Bool) {
        state.withLock { $0.isAnswering = isAnswering }
    }

    func stop() throws {
        ended.withLock { $0 = true }
        wakeup.signal()
        try awaitThread()
    }

    private func serve(_ context: Context) throws {
        let (intents, queries) = (try Socket(.router, in: context), try Socket(.router, in: context))
        let bound = (try intents.bind("tcp://127.0.0.1:*"), try queries.bind("tcp://127.0.0.1:*"))
        endpoints.withLock { $0 = bound }
        isReady.signal()
        var poller = Poller()
        _ = try poller.add(intents)
        _ = try poller.add(queries)
        _ = poller.add(fileDescriptor: wakeup.fileDescriptor)
        var message = Message()
        while !ended.withLock({ $0 }) {
            try poller.wait(milliseconds: -1)
            for socket in [intents, queries] {
                while try socket.receive(into: &message) {
                    let frames = (0..<message.frameCount).map { message.bytes($0) }
                    guard let answer = state.withLock({ $0.isAnswering ? Self.answer(frames, $0.broker) : nil }) else {
                        continue
                    }
                    _ = try socket.send([frames[0]] + answer)
                }
            }
        }
        intents.close()
        queries.close()
    }

    private static func answer(_ frames: [[UInt8]], _ broker: SimulatedBroker) -> [[UInt8]]? {
        let number = frames[frames.count - 2]
        let body = frames[frames.count - 1]
        switch String(decoding: frames[1], as: UTF8.self) {
        case "ration/1 hello":
            let hello = Hello(log: broker.log, last: broker.data.last, window: 64, server: "simulated")
            return [frames[1], number, hello.body]
        case "ration/1 publish":
            let value = UInt64(String(decoding: number, as: UTF8.self)) ?? 0
            guard let answer = broker.publish(value, body) else {
                let fault = RequestFault(.outOfOrder, "gap", expected: (broker.data.last ?? 0) + 1)
                return [Array("ration/1 error".utf8), number, fault.body]
            }
            return [Array("ration/1 ack".utf8), number, answer]
        default:
            return read(String(decoding: body, as: UTF8.self), frames[1], number, broker)
        }
    }

    private static func read(_ body: String, _ name: [UInt8], _ number: [UInt8], _ broker: SimulatedBroker) -> [[UInt8]]
    {
        let isOfLog = !body.contains(#""log""#) || body.contains(#""log":"\#(broker.log)""#)
        let after =
            body.firstRange(of: #""after":"#).map { UInt64(body[$0.upperBound...].prefix { $0.isNumber }) ?? 0 } ?? 0
        guard isOfLog, after <= broker.lastSequence else {
            return [Array("ration/1 error".utf8), number, RequestFault(.cursorAhead, "another log").body]
        }
        let page = broker.page(after: after, most: 100)
        let answer = ReadAnswer(log: broker.log, first: broker.gone + 1, last: broker.lastSequence, next: page.next)
        return [name, number, answer.body, Array(page.events.map(\.line).joined().utf8)]
    }
}

extension ReceivedEvent {
    /// The event as the broker writes it, with its line's end.
    fileprivate var line: String {
        let number = String(repeating: "0", count: 20 - "\(sequence)".count) + "\(sequence)"
        let cause = kind == .due ? #","delivery":"push","validUntil":\#(fireDate.milliseconds),"content":{}"# : ""
        return
            #"{"specversion":"1.0","id":"\#(number)","source":"/ration/x","type":"ration.notification.\#(kind.name).v1","#
            + #""subject":"s","time":\#(time.milliseconds),"sequence":"\#(number)","data":{"kind":"\#(kind.name)","#
            + #""app":"\#(app)","device":"\#(device)","id":"\#(id)","type":"\#(type)","priority":0,"#
            + #""fireDate":\#(fireDate.milliseconds),"requestedDate":\#(requestedDate.milliseconds),"final":true,"#
            + "\"batch\":\(batch)\(cause)}}\n"
    }
}

/// Something that one thread gives to another for good.
struct Handover<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

/// Runs a body in a thread of its own.
func startThread(_ body: @escaping @Sendable () -> Void) {
    var thread = pthread_t()
    let box = Unmanaged.passRetained(ThreadBody(body))
    let result = pthread_create(
        &thread, nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        }, box.toOpaque())
    precondition(result == 0, "pthread_create: \(result)")
    pthread_detach(thread)
}

private final class ThreadBody {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}
