import Glibc
import RationBus
import RationCommandLine
import RationDemo
import RationModel
import RationSQLite
import RationWire

/// Makes the facts of a made-up team, lets its users live, and registers their phones with a broker.
final class DemoFacts {
    /// Between two transactions of what users do.
    private static let pauseMilliseconds: Int64 = 500
    /// What happens in a second, at the speed of 1.
    private static let momentsPerSecond = 10
    private static let requestLines = 256
    /// How long the last acknowledgements may take.
    private static let patienceMilliseconds: Int64 = 3_000
    private static let reportMilliseconds: Int64 = 10_000

    private let facts: FactsDatabase
    /// nil: phones are registered with nobody.
    private let client: PublishingClient?
    private let console: Console
    private let clock = SystemMonotonicClock()
    private var lines = IntentLines()
    private var happened = 0
    private var rejected = 0

    /// - Parameter intents: where phones are registered.
    init(file: String, seed: UInt64, intents: String?, console: Console) throws {
        facts = try FactsDatabase(file: file, seed: seed, zones: InstalledZones.read())
        self.console = console
        client = try intents.map { endpoint in
            try PublishingClient(endpoint: endpoint, publisher: "demo-\(getpid())", in: Context())
        }
    }

    /// Makes what is missing of the users, and registers all phones.
    /// - Parameter users: how many there are to be; a file that has some keeps those, unless it is asked for more.
    func make(users: Int, isAskedFor: Bool) throws {
        let known = try facts.users
        let users = known > 0 && !isAskedFor ? known : users
        try facts.fill(users: users, at: DemoCommand.now)
        if client != nil { try facts.appendRegistrations(to: &lines) }
        let made = max(0, users - known)
        try console.output.line(
            "\(facts.file): \(known + made) users, \(made) of them new; \(lines.count) phones to register")
        try console.output.flush()
    }

    /// Lets users live until it is time or a signal comes.
    func live(until end: Instant, speed: Int, _ signals: SignalSource) throws {
        var next = clock.milliseconds + Self.pauseMilliseconds
        var nextReport = clock.milliseconds + Self.reportMilliseconds
        while DemoCommand.now < end, signals.next() == nil {
            let now = clock.milliseconds
            if now >= next {
                next = now + Self.pauseMilliseconds
                try happen(Self.momentsPerSecond * speed * Int(Self.pauseMilliseconds) / 1_000)
            }
            if now >= nextReport {
                nextReport = now + Self.reportMilliseconds
                try report()
            }
            try publish()
            let left = min(next - clock.milliseconds, end.milliseconds - DemoCommand.now.milliseconds)
            try wait(milliseconds: max(0, left), signals)
        }
    }

    /// Waits for the last acknowledgements.
    /// - Returns: failure if some are missing.
    func finish() throws -> ExitStatus {
        guard let client else {
            if happened > 0 { try report() }
            return .success
        }
        let deadline = clock.milliseconds + Self.patienceMilliseconds
        while lines.count > 0 || !client.isDrained, clock.milliseconds < deadline {
            try publish()
            try take(client.poll(timeoutMilliseconds: 20))
        }
        try report()
        guard client.isDrained, lines.count == 0 else {
            console.complain("some phones were not registered within 3 s: no answer from \(client.endpoint)")
            return .failure
        }
        return .success
    }

    /// A file that another process keeps locked for long is tried again the next time.
    private func happen(_ count: Int) throws {
        do {
            try facts.happen(count, at: DemoCommand.now, to: &lines)
            happened += count
        } catch let error as SQLiteError where error.isRetryable {
            console.complain("\(error); what happens is left out")
        }
        if client == nil { _ = lines.take(lines.count) }
    }

    private func publish() throws {
        guard let client else { return }
        while client.hasRoom, lines.count > 0 {
            _ = try client.submit(lines.take(Self.requestLines))
        }
    }

    private func wait(milliseconds: Int64, _ signals: SignalSource) throws {
        if let client {
            return try take(
                client.poll(timeoutMilliseconds: Int(milliseconds), watching: signals.fileDescriptor))
        }
        var request = pollfd(fd: signals.fileDescriptor, events: Int16(POLLIN), revents: 0)
        poll(&request, 1, Int32(clamping: milliseconds))
    }

    private func take(_ answers: [PublishingAnswer]) throws {
        for answer in answers {
            switch answer {
            case .acknowledgement(let request): rejected += try request.acknowledgement().count(.rejected)
            case .alreadyCommitted: break
            case .refusal(_, let fault): throw CommandFailure("the broker refuses a request: \(fault.message)")
            case .unknown: throw CommandFailure("a request was lost")
            }
        }
    }

    private func report() throws {
        var line = "\(try facts.users) users, \(happened) things happened"
        if rejected > 0 { line += ", \(rejected) registrations rejected" }
        if let client, !client.isConnected { line += ", no broker at \(client.endpoint)" }
        try console.output.line(line)
        try console.output.flush()
    }
}
