import RationBus
import TestProcesses
import Testing

/// A named publisher with several requests in flight, driven by a test's loop.
final class StreamingPublisher {
    let client: Client
    let name: String
    private let request: (Int) -> [String]
    private let window: Int
    private let total: Int
    private(set) var sent = 0
    private(set) var acknowledgements: [Answer] = []
    private(set) var refusals: [Answer] = []

    /// - Parameters:
    ///   - total: requests to send.
    ///   - request: the lines of a request by its number, from 1.
    init(
        _ broker: BrokerProcess, _ name: String, window: Int, total: Int = .max, request: @escaping (Int) -> [String]
    ) throws {
        client = try Client(broker, to: broker.intents)
        (self.name, self.window, self.total, self.request) = (name, window, total, request)
    }

    var isDone: Bool { acknowledgements.count == total }

    /// Sends what the window allows, and takes the answers that are there.
    func turn() throws {
        while let answer = try client.receiveAtOnce() {
            if answer.error == nil { acknowledgements.append(answer) } else { refusals.append(answer) }
        }
        while refusals.isEmpty, sent < total, sent - acknowledgements.count < window {
            let frames = Client.publish(request(sent + 1), number: sent + 1, as: name)
            guard try client.socket.send(frames.map { Array($0.utf8) }) == .sent else { return }
            sent += 1
        }
    }

    /// Takes turns with others until all are done.
    static func run(_ publishers: [StreamingPublisher], _ location: SourceLocation = #_sourceLocation) throws {
        var poller = Poller()
        for publisher in publishers { _ = try poller.add(publisher.client.socket) }
        let deadline = Deadline(milliseconds: 3 * Deadline.standardMilliseconds)
        while !publishers.allSatisfy(\.isDone) {
            for publisher in publishers {
                try publisher.turn()
                try #require(publisher.refusals.isEmpty, "\(publisher.refusals[0].text)", sourceLocation: location)
            }
            try deadline.require("all acknowledgements", location)
            // A connection that is not made yet has nothing to read: look again.
            try poller.wait(milliseconds: 10)
        }
    }
}
