import RationBus
import RationModel
import RationWire
import Synchronization

/// A plain SUB in a thread of its own.
final class LiveFollower: Sendable {
    /// What has come.
    struct Received: Sendable {
        var events = 0
        /// Of `due` events: from the fire date to their arrival.
        var lateness = Latencies()
    }

    private final class Board: Sendable {
        let received = Mutex(Received())
    }

    private let worker: Worker
    private let board = Board()

    /// - Parameters:
    ///   - topics: the beginning of the topics that it wants; empty for all.
    ///   - readsDue: whether the events are `due` ones, of which the lateness is wanted.
    init(_ broker: FilledBroker, topics: String, readsDue: Bool = false) {
        let (events, context, board) = (broker.process.events, broker.context, board)
        worker = Worker { worker in
            let socket = try Socket(.sub, in: context)
            try socket.subscribe(topics)
            try socket.connect(events)
            var poller = Poller()
            _ = try poller.add(socket)
            var message = Message()
            var reader = ReceivedEventReader()
            while !worker.isStopping {
                guard try poller.wait(milliseconds: 100) > 0 else { continue }
                while try socket.receive(into: &message) {
                    guard message.frameCount == 3, !Self.isHeartbeat(message[0]) else { continue }
                    guard readsDue else {
                        board.received.withLock { $0.events += 1 }
                        continue
                    }
                    let late = MachineClock.wallMilliseconds() - (try reader.read(message[2]).fireDate.milliseconds)
                    board.received.withLock { $0.add(lateMilliseconds: late) }
                }
            }
        }
    }

    private static func isHeartbeat(_ topic: UnsafeRawBufferPointer) -> Bool {
        let word = Frame.heartbeatTopic
        return topic.elementsEqual(UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    }

    var received: Received { board.received.withLock { $0 } }

    /// How many events have come.
    var count: Int { board.received.withLock { $0.events } }

    func stop() throws { try worker.stop() }
}

extension LiveFollower.Received {
    mutating func add(lateMilliseconds: Int64) {
        events += 1
        lateness.add(Int(lateMilliseconds) * 1_000_000)
    }
}
