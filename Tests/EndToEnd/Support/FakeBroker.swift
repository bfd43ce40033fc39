import RationBus
import TestProcesses
import Testing

/// An intents endpoint that greets publishers and acknowledges nothing.
final class FakeBroker {
    let endpoint: String
    private let router: Socket
    private var message = Message()

    init(at endpoint: String) throws {
        router = try Socket(.router, in: Context())
        self.endpoint = try router.bind(endpoint)
    }

    /// Waits until so many `publish` requests have come.
    /// - Returns: their bodies.
    func receive(_ count: Int, _ location: SourceLocation = #_sourceLocation) throws -> [String] {
        let deadline = Deadline()
        var poller = Poller()
        _ = try poller.add(router)
        var bodies: [String] = []
        while bodies.count < count {
            try deadline.require("\(count) requests, \(bodies.count) came", location)
            guard try router.receive(into: &message) else {
                try poller.wait(milliseconds: deadline.left)
                continue
            }
            let frames = (0..<message.frameCount).map { message.bytes($0) }
            let texts = frames.map { String(decoding: $0, as: UTF8.self) }
            if texts[1] == "ration/1 hello" {
                try greet(frames[0], texts[2])
            } else {
                bodies.append(texts[frames.count - 1])
            }
        }
        return bodies
    }

    private func greet(_ client: [UInt8], _ number: String) throws {
        let body = #"{"versions":[1],"log":"nowhere","limits":{},"last":null,"window":64,"server":"none"}"#
        _ = try router.send([client] + ["ration/1 hello", number, body].map { Array($0.utf8) })
    }
}
