import Glibc
import PlansSubscriber
import RationBus
import RationCommandLine
import RationConfiguration
import RationHTTP
import RationModel
import RationPluginKit
import RationSubscribing
import RationWire

/// The process of one subscriber: its runner, its signals, its metrics.
struct SubscriberProcess {
    /// How long the rest of the log is taken after SIGTERM.
    static let drainMilliseconds: Int64 = 5_000
    /// How long with --once what it has told the broker of what it has done may stay without acknowledgement.
    private static let settleMilliseconds: Int64 = 10_000
    /// The longest wait of one turn.
    private static let turnMilliseconds = 1_000
    /// A turn that takes longer is told as ill.
    private static let healthMilliseconds: Int64 = 60_000

    private let configuration: SubscriberConfiguration
    /// All of the deployment.
    private let subscribers: [SubscriberConfiguration]
    private let endpoints: Endpoints
    private let isOnce: Bool
    private let console: Console
    private let clock = SystemMonotonicClock()

    /// Where the broker is.
    struct Endpoints {
        var queries: String
        var intents: String
        var admin: String
    }

    /// - Parameter subscribers: all of the deployment.
    init(
        _ configuration: SubscriberConfiguration, among subscribers: [SubscriberConfiguration], _ endpoints: Endpoints,
        isOnce: Bool, _ console: Console
    ) {
        (self.configuration, self.subscribers) = (configuration, subscribers)
        (self.endpoints, self.isOnce, self.console) = (endpoints, isOnce, console)
    }

    func run() throws -> ExitStatus {
        // Before ZeroMQ starts its threads.
        let signals = try SignalSource([SIGTERM, SIGINT, SIGUSR1, SIGUSR2])
        let lock = try RunningProcess(configuration.data)
        defer { withExtendedLifetime(lock) {} }
        let (runner, meter) = try makeRunner()
        let server = try configuration.http.map { try Self.serve("\($0)", runner.board, meter) }
        defer { server?.stop() }
        try console.output.line(
            "subscriber \(configuration.name), data \(configuration.data), queries \(endpoints.queries)")
        if let server { try console.output.line("http 127.0.0.1:\(server.port)") }
        try console.output.line(runner.file.isPaused ? "paused" : "ready")
        try console.output.flush()
        try loop(runner, signals)
        let isSettled = try !isOnce || settle(runner, signals)
        try runner.end()
        let cursor = runner.file.cursor
        try console.output.line("stopped at \(cursor?.position ?? 0) of log \(cursor?.log ?? "none")")
        try console.output.flush()
        guard isSettled else {
            throw CommandFailure(
                "the broker has not acknowledged all feedback of \(configuration.name) within "
                    + "\(Self.settleMilliseconds / 1_000) seconds: it is kept in \(configuration.data), and told with the next start"
            )
        }
        return .success
    }

    /// - Returns: whether the broker has acknowledged all that it was to be told.
    private func settle(_ runner: SubscriberRunner, _ signals: SignalSource) throws -> Bool {
        try runner.settle(limitMilliseconds: Self.settleMilliseconds) { milliseconds in
            try wait(milliseconds, signals)
            return signals.next() == nil
        }
    }

    private func makeRunner() throws -> (SubscriberRunner, (any SubscriberMeter)?) {
        let plugin = try plugin()
        let context = try Context()
        var filter = EventFilter()
        filter.kinds = type(of: plugin).kinds
        (filter.apps, filter.types) = (configuration.apps, configuration.types)
        var reading = PageReader.Options()
        reading.pageEvents = configuration.pageEvents
        var options = SubscriberRunner.Options()
        (options.pageEvents, options.tries) = (configuration.pageEvents, configuration.tries)
        let console = console
        let runner = try SubscriberRunner(
            plugin, file: try SubscriberFile(configuration.data, of: configuration.name),
            pages: PageReader(queries: endpoints.queries, filter: filter, in: context, options: reading),
            options: options, wallClock: { .wallClock }
        ) { console.complain($0.line) }
        if let plans = plugin as? Plans, !plans.wakingSubscriber.isEmpty {
            plans.waker = try PhoneWaker(
                plans.wakingSubscriber, among: subscribers, admin: endpoints.admin, in: context
            ) { console.complain($0) }
        }
        let working = plugin as? any WorkingSubscriber
        try working?.start(
            SubscriberSurroundings(
                name: configuration.name, data: configuration.data, intents: endpoints.intents,
                queries: endpoints.queries, admin: endpoints.admin, context: context, clock: { .wallClock },
                tell: { console.complain($0) }))
        return (runner, working?.meter)
    }

    private func plugin() throws -> any Subscriber {
        guard let type = plugins.subscribers.first(where: { $0.name == configuration.plugin }) else {
            throw CommandFailure("no subscriber '\(configuration.plugin)' is installed")
        }
        do throws(SettingFaults) {
            return try type.init(settings: configuration.settings)
        } catch {
            throw CommandFailure(
                error.faults.map { "\(configuration.name).\($0.path): \($0.message)" }.joined(separator: "\n"))
        }
    }

    /// Turns until it is told to end, and then until the rest is done.
    private func loop(_ runner: SubscriberRunner, _ signals: SignalSource) throws {
        var drainEnd: Int64?
        // With --once: the end that the log had at the first page.
        var goal: UInt64?
        while clock.milliseconds < drainEnd ?? .max {
            let turn = try runner.turn(timeoutMilliseconds: Self.turnMilliseconds, watching: signals.fileDescriptor)
            while let signal = signals.next() {
                switch signal {
                case SIGUSR1: try runner.pause()
                case SIGUSR2: try runner.resume()
                // Whoever asks twice does not want to wait.
                default: drainEnd = drainEnd == nil ? clock.milliseconds + Self.drainMilliseconds : 0
                }
            }
            let isEnding = drainEnd != nil || isOnce
            switch turn {
            case .worked:
                guard isOnce else { continue }
                goal = goal ?? runner.board.status.last
                if let goal, runner.file.cursor?.position ?? 0 >= goal { return }
            case .idle:
                let isDone = runner.isCaughtUp || (drainEnd != nil && runner.board.status.isBrokerAway)
                if isEnding, isDone { return }
            case .resting(let milliseconds):
                if drainEnd != nil { return }
                try wait(min(milliseconds, Int64(Self.turnMilliseconds)), signals)
            case .paused:
                if drainEnd != nil { return }
                guard !isOnce else { throw CommandFailure("it is paused: resume it first") }
                try wait(Int64(Self.turnMilliseconds), signals)
            }
        }
    }

    private func wait(_ milliseconds: Int64, _ signals: SignalSource) throws {
        var poller = Poller()
        _ = poller.add(fileDescriptor: signals.fileDescriptor)
        try poller.wait(milliseconds: Int(milliseconds))
    }

    private static func serve(
        _ address: String, _ board: SubscriberBoard, _ meter: (any SubscriberMeter)?
    ) throws -> HTTPServer {
        try HTTPServer(address: address) { request in
            switch request.path {
            case "/metrics": return HTTPResponse(text: board.status.metrics(.wallClock) + (meter?.metrics ?? ""))
            case "/healthz":
                let age = SystemMonotonicClock().milliseconds - board.lastTurn
                guard age > healthMilliseconds else { return HTTPResponse(text: "ok\n") }
                return HTTPResponse(status: 503, text: "no turn for \(age) ms\n")
            default: return .notFound
            }
        }
    }
}
