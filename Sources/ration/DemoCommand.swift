import Glibc
import RationCommandLine
import RationConfiguration
import RationDemo
import RationModel

/// `ration demo`: a publisher of a made-up day, to see a broker at work.
struct DemoCommand: Command {
    static let name = "demo"
    static let summary = "Publish a made-up day of habits, sign-ups, supplies and visits, or make facts for schedulers"
    static let details = [
        "First what the services have planned for the coming week, as fast as the broker acknowledges it; then "
            + "\(DemoDay.intentsPerSecond) intents a second, until it is stopped or --for is over. SIGTERM and SIGINT "
            + "end it when what was sent is acknowledged. The same seed and start give the same intents. One in 2,000 "
            + "is wrong on purpose. The types are those of deploy/policy.yaml.",
        "With --dry-run nothing is published and no time passes: the intents go to standard output as NDJSON, the plans "
            + "alone unless --for or --count asks for more.",
        "With --facts it publishes no notifications: it makes a SQLite file of users, their phones, habits, steps, supplies "
            + "and visits, which the queries of deploy/ration.yaml make the schedulers' facts. A file that it has made "
            + "before goes on where it stood, and gets more users only if --devices asks for them. With --live users "
            + "change habits, finish steps, come back and refill until it is stopped or --for is over. With --intents or "
            + "--config phones are registered with the broker.",
    ]
    static let seed = Option<Int>.number(
        "seed", "NUMBER", in: 0...Int.max, default: 1, "which day: the same number gives the same one")
    static let devices = Option<Int>.number("devices", "NUMBER", in: 1...1_000_000, default: 2_000, "how many phones")
    static let speed = Option<Int>.number(
        "speed", "NUMBER", in: 1...1_000, default: 1, "how many times \(DemoDay.intentsPerSecond) intents a second")
    static let duration = Option<Int64?>.duration("for", "DURATION", "end after this time")
    static let dryRun = Option<Bool>.flag("dry-run", "print the intents instead of publishing them")
    static let start = Option<Instant?>(
        "start", "DATE", "with --dry-run: when the day starts", defaultText: "now"
    ) { texts throws(Mismatch) in
        guard let text = texts.first else { return nil }
        guard let date = Instant(rfc3339: text) else {
            throw Mismatch("expected a date such as 2026-12-01T08:00:00Z, found '\(Quoted.short(text))'")
        }
        return date
    }
    static let count = Option<Int?>.number(
        "count", "NUMBER", in: 1...Int.max, "with --dry-run: print so many intents and end")
    static let facts = Option<String?>.text("facts", "FILE", "make or continue this SQLite file of facts")
    static let live = Option<Bool>.flag("live", "with --facts: let users live")
    static let options: [any OptionDeclaration] = [
        BrokerEndpoint.intents.option, BrokerEndpoint.config, seed, devices, speed, duration, dryRun, start, count,
        facts, live,
    ]
    static let examples = [
        Example("ration demo --for 20s", "twenty seconds of a day"),
        Example("ration demo --dry-run --count 1000 | ration publish", "its first thousand intents"),
        Example("ration demo --facts facts.db --live --intents tcp://127.0.0.1:7464", "facts that change"),
    ]

    private let intents: String
    private let factsFile: String?
    private let isLive: Bool
    private let registers: Bool
    private let asksForDevices: Bool
    private let speed: Int
    private let seed: Int
    private let devices: Int
    private let perSecond: Int
    private let milliseconds: Int64?
    private let isDryRun: Bool
    private let start: Instant
    private let count: Int?

    init(_ arguments: ParsedArguments) throws {
        isDryRun = arguments[Self.dryRun]
        if !isDryRun, arguments.names(Self.start) || arguments.names(Self.count) {
            throw UsageError("--start and --count are for --dry-run only")
        }
        factsFile = arguments[Self.facts]
        isLive = arguments[Self.live]
        if factsFile == nil, isLive { throw UsageError("--live is for --facts only") }
        if factsFile != nil, isDryRun { throw UsageError("--facts and --dry-run do not go together") }
        if factsFile != nil, !isLive, arguments.names(Self.duration) {
            throw UsageError("--facts takes --for with --live")
        }
        registers = arguments.names(BrokerEndpoint.intents.option) || arguments.names(BrokerEndpoint.config)
        intents = isDryRun ? "" : try BrokerEndpoint.intents.address(in: arguments)
        seed = arguments[Self.seed]
        devices = arguments[Self.devices]
        asksForDevices = arguments.names(Self.devices)
        speed = arguments[Self.speed]
        perSecond = DemoDay.intentsPerSecond * speed
        milliseconds = arguments[Self.duration]
        start = arguments[Self.start] ?? Self.now
        count = arguments[Self.count]
    }

    func run(_ console: Console) throws -> ExitStatus {
        if let factsFile { return try run(factsIn: factsFile, console) }
        let day = try DemoDay(seed: UInt64(seed), start: start, devices: devices, zones: InstalledZones.read())
        if isDryRun {
            try print(day, console)
            return .success
        }
        let signals = try SignalSource([SIGINT, SIGTERM])
        let publisher = try DemoPublisher(day: day, endpoint: intents, perSecond: perSecond, console: console)
        return try publisher.run(until: end, signals)
    }

    /// When what begins now is over.
    private var end: Instant { milliseconds.map(Self.now.advanced) ?? .distantFuture }

    private func run(factsIn file: String, _ console: Console) throws -> ExitStatus {
        let signals = try SignalSource([SIGINT, SIGTERM])
        let facts = try DemoFacts(
            file: file, seed: UInt64(seed), intents: registers ? intents : nil, console: console)
        try facts.make(users: devices, isAskedFor: asksForDevices)
        if isLive { try facts.live(until: end, speed: speed, signals) }
        return try facts.finish()
    }

    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Prints the plans, then what happens in a time that does not pass.
    private func print(_ day: DemoDay, _ console: Console) throws {
        var day = day
        var lines = IntentLines()
        var left = count ?? .max
        func printLines() throws {
            let wanted = min(left, lines.count)
            guard wanted > 0 else { return }
            try lines.take(wanted).withUnsafeBytes { try console.output.bytes($0) }
            left -= wanted
        }
        while left > 0, day.appendBacklog(to: &lines) { try printLines() }
        var pacer = Pacer(perSecond: perSecond, start: start)
        let end = milliseconds.map(start.advanced) ?? (count == nil ? start : .distantFuture)
        while left > 0, pacer.next < end {
            day.appendMoment(at: pacer.next, to: &lines)
            pacer.count(lines.count)
            try printLines()
        }
    }
}
