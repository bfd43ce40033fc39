import Glibc
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
    /// The longest wait of one turn.
    private static let turnMilliseconds = 1_000
    /// A turn that takes longer is told as ill.
    private static let healthMilliseconds: Int64 = 60_000

    private let configuration: SubscriberConfiguration
    private let queries: String
    private let isOnce: Bool
    private let console: Console
    private let clock = SystemMonotonicClock()

    init(_ configuration: SubscriberConfiguration, queries: String, isOnce: Bool, _ console: Console) {
        (self.configuration, self.queries, self.isOnce, self.console) = (configuration, queries, isOnce, console)
    }

    func run() throws -> ExitStatus {
        // Before ZeroMQ starts its threads.
        let signals = try SignalSource([SIGTERM, SIGINT, SIGUSR1, SIGUSR2])
        let lock = try RunningProcess(configuration.data)
        defer { withExtendedLifetime(lock) {} }
        let runner = try makeRunner()
        let server = try configuration.http.map { try Self.serve("\($0)", runner.board) }
        defer { server?.stop() }
        try console.output.line("subscriber \(configuration.name), data \(configuration.data), queries \(queries)")
        if let server { try console.output.line("http 127.0.0.1:\(server.port)") }
        try console.output.line(runner.file.isPaused ? "paused" : "ready")
        try console.output.flush()
        try loop(runner, signals)
        try runner.end()
        let cursor = runner.file.cursor
        try console.output.line("stopped at \(cursor?.position ?? 0) of log \(cursor?.log ?? "none")")
        try console.output.flush()
        return .success
    }

    private func makeRunner() throws -> SubscriberRunner {
        let plugin = try plugin()
        var filter = EventFilter()
        filter.kinds = type(of: plugin).kinds
        (filter.apps, filter.types) = (configuration.apps, configuration.types)
        var reading = PageReader.Options()
        reading.pageEvents = configuration.pageEvents
        var options = SubscriberRunner.Options()
        (options.pageEvents, options.tries) = (configuration.pageEvents, configuration.tries)
        let console = console
        return try SubscriberRunner(
            plugin, file: try SubscriberFile(configuration.data, of: configuration.name),
            pages: PageReader(queries: queries, filter: filter, in: try Context(), options: reading), options: options,
            wallClock: { .wallClock }
        ) { console.complain($0.line) }
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

    private static func serve(_ address: String, _ board: SubscriberBoard) throws -> HTTPServer {
        try HTTPServer(address: address) { request in
            switch request.path {
            case "/metrics": return HTTPResponse(text: board.status.metrics(.wallClock))
            case "/healthz":
                let age = SystemMonotonicClock().milliseconds - board.lastTurn
                guard age > healthMilliseconds else { return HTTPResponse(text: "ok\n") }
                return HTTPResponse(status: 503, text: "no turn for \(age) ms\n")
            default: return .notFound
            }
        }
    }
}
