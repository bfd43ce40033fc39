import RationBus
import TestSupport
import Testing

/// A publisher with an outbox that goes on publishing whatever happens to the broker, and keeps what it was told.
final class LoadPublisher {
    let name: String
    let devices: [String]
    private let client: PublishingClient
    /// By number: the lines of each request.
    private(set) var requests: [[String]] = []
    /// By number: what it was told.
    private(set) var answers: [PublishingAnswer] = []
    private var ids: [(device: String, id: String)] = []

    init(_ broker: BrokerProcess, _ name: String, in context: Context, seed: UInt64) throws {
        self.name = name
        devices = ["\(name)-0", "\(name)-1"]
        var options = PublishingClient.Options()
        options.window = 16
        options.backoff = Backoff(firstMilliseconds: 5, mostMilliseconds: 40)
        client = try PublishingClient(
            endpoint: broker.intents, publisher: name, in: context, options: options, random: SplitMix64(seed: seed))
    }

    var isDrained: Bool { client.isDrained }
    var lastPostponement: String? { client.lastPostponement }

    /// Publishes one more request, if there is room for it in the window.
    func submit(_ random: inout SplitMix64) throws {
        guard client.hasRoom else { return }
        let lines = (0..<1 + random.next() % 4).map { line(Int($0), &random) }
        requests.append(lines)
        try client.submit(Array(lines.joined(separator: "\n").utf8))
    }

    /// Takes what has come.
    func poll(milliseconds: Int) throws {
        answers += try client.poll(timeoutMilliseconds: milliseconds)
    }

    /// Some fire within seconds, some in an hour, some are put off, cancelled or wrong.
    private func line(_ place: Int, _ random: inout SplitMix64) -> String {
        let device = devices[Int(random.next() % 2)]
        let id = "\(name).\(requests.count + 1).\(place)"
        let after = random.next() % 3 == 0 ? 1 + random.next() % 3 : 3_600 + random.next() % 100_000
        let old = ids.isEmpty ? (device, id) : ids[Int(random.next() % UInt64(ids.count))]
        switch random.next() % 12 {
        case 0: return IntentLine.cancel(old.1, on: old.0)
        case 1: return IntentLine.schedule(old.1, on: old.0, trigger: #"{"after":\#(after)}"#)
        case 2: return IntentLine.of("device", on: device, more: #","reserved":\#(random.next() % 3)"#)
        case 3: return IntentLine.schedule(id, on: device, trigger: #"{"after":-1}"#)
        default:
            ids.append((device, id))
            return IntentLine.schedule(id, on: device, trigger: #"{"after":\#(after)}"#)
        }
    }
}
