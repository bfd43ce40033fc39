import Glibc
import RationBus
import RationCommandLine
import RationDemo
import RationModel
import RationWire

/// Publishes a made-up day and tells how it goes, a line a second.
final class DemoPublisher {
    /// Intents of one request.
    private static let requestLines = 256
    /// Between two looks at what is due.
    private static let tickMilliseconds: Int64 = 20
    /// How long the last acknowledgements may take.
    private static let patienceMilliseconds: Int64 = 3_000

    private var day: DemoDay
    private let client: PublishingClient
    private let perSecond: Int
    private let console: Console
    private let clock = SystemMonotonicClock()
    private let begin: Int64
    private var lines = IntentLines()
    /// Of what happens after the backlog.
    private var pacer: Pacer?
    private var nextReport: Int64
    /// Intents of the requests that are under way.
    private var underWay: [UInt64: Int] = [:]
    private var sent = 0
    private var acknowledged = 0
    private var rejected = 0

    init(day: DemoDay, endpoint: String, perSecond: Int, console: Console) throws {
        self.day = day
        self.perSecond = perSecond
        self.console = console
        client = try PublishingClient(endpoint: endpoint, publisher: "demo-\(getpid())", in: Context())
        begin = clock.milliseconds
        nextReport = begin + 1_000
    }

    /// Publishes until it is time or a signal comes, and waits for the last acknowledgements.
    /// - Returns: failure if some of them are missing.
    func run(until end: Instant, _ signals: SignalSource) throws -> ExitStatus {
        while DemoCommand.now < end, signals.next() == nil {
            try publish()
            try take(client.poll(timeoutMilliseconds: pause(until: end), watching: signals.fileDescriptor))
        }
        let deadline = clock.milliseconds + Self.patienceMilliseconds
        while !client.isDrained, clock.milliseconds < deadline {
            try take(client.poll(timeoutMilliseconds: Int(Self.tickMilliseconds)))
        }
        try report()
        guard client.isDrained else {
            console.complain("\(sent - acknowledged) intents were not acknowledged within 3 s")
            return .failure
        }
        return .success
    }

    /// Submits what there is to publish, as long as the window has room.
    private func publish() throws {
        while client.hasRoom {
            fill()
            let count = min(lines.count, Self.requestLines)
            guard count > 0 else { return }
            underWay[try client.submit(lines.take(count))] = count
            sent += count
        }
    }

    private func fill() {
        while lines.count < Self.requestLines {
            if var pacer {
                guard pacer.isDue(at: DemoCommand.now) else { return }
                let before = lines.count
                day.appendMoment(at: pacer.next, to: &lines)
                pacer.count(lines.count - before)
                self.pacer = pacer
            } else if !day.appendBacklog(to: &lines) {
                pacer = Pacer(perSecond: perSecond, start: DemoCommand.now)
            }
        }
    }

    /// Milliseconds until there is something to do.
    private func pause(until end: Instant) -> Int {
        let now = DemoCommand.now
        let next = client.hasRoom ? pacer.map { $0.next.milliseconds - now.milliseconds } ?? 0 : 1_000
        let pause = min(max(next, Self.tickMilliseconds), nextReport - clock.milliseconds)
        return Int(max(0, min(pause, end.milliseconds - now.milliseconds)))
    }

    private func take(_ answers: [PublishingAnswer]) throws {
        for answer in answers {
            let count = underWay.removeValue(forKey: answer.number) ?? 0
            switch answer {
            case .acknowledgement(let request):
                rejected += try request.acknowledgement().count(.rejected)
                acknowledged += count
            case .alreadyCommitted: acknowledged += count
            case .refusal(_, let fault): throw CommandFailure("the broker refuses a request: \(fault.message)")
            case .unknown: throw CommandFailure("a request was lost")
            }
        }
        if clock.milliseconds >= nextReport {
            nextReport = clock.milliseconds + 1_000
            try report()
        }
    }

    private func report() throws {
        let tenths = (clock.milliseconds - begin) / 100
        var line =
            "\(tenths / 10).\(tenths % 10) s: \(sent) intents sent, \(acknowledged) acknowledged, \(rejected) rejected"
        if pacer == nil { line += ", still planning" }
        if !client.isConnected { line += ", no broker at \(client.endpoint)" }
        try console.output.line(line)
        try console.output.flush()
    }
}
