import RationBus
import RationCommandLine
import RationConfiguration
import RationPluginKit

/// `ration subscriber`: one subscriber of a deployment.
struct SubscriberCommand: Command {
    static let name = "subscriber"
    static let summary = "Run a subscriber: hand it every event once, and keep where it is"
    static let details = [
        "Reads the event log from where the subscriber's file says, hands over a page at a time, and stores what the "
            + "subscriber makes of it together with the position. A page that fails is tried again; an event that fails "
            + "alone, or ends the process again and again, is set aside in the table set_aside of that file.",
        "SIGTERM and SIGINT end it: what is in hand is stored, and what the log has is taken for at most "
            + "\(SubscriberProcess.drainMilliseconds / 1_000) seconds. SIGUSR1 pauses it and SIGUSR2 resumes it, as "
            + "--pause and --resume do; it stays paused over restarts.",
    ]
    static let subscriber = Argument<String>.required("NAME", "the subscriber's name in the configuration")
    static let config = Option<String?>.text("config", "FILE", "the configuration; has to be given")
    static let once = Option<Bool>.flag(
        "once", "end when everything that the log has is done, and the broker has been told what has come of it")
    static let showsStatus = Option<Bool>.flag("status", "show how it is, whether it runs or not")
    static let pauses = Option<Bool>.flag("pause", "hand nothing over until it is resumed")
    static let resumes = Option<Bool>.flag("resume", "go on")
    static let arguments: [any ArgumentDeclaration] = [subscriber]
    static let options: [any OptionDeclaration] = [
        config, BrokerEndpoint.queries.option, once, showsStatus, pauses, resumes,
    ]
    static let examples = [
        Example("ration subscriber analytics --config deploy/ration.yaml", "until it is told to end"),
        Example("ration subscriber analytics --config deploy/ration.yaml --status", "where it is, and how far behind"),
    ]

    private enum Work { case run, runOnce, status, pause, resume }

    private let name: String
    private let file: String
    private let queries: String?
    private let work: Work

    init(_ arguments: ParsedArguments) throws {
        name = arguments[Self.subscriber]
        guard let file = arguments[Self.config] else { throw UsageError("expected --config FILE") }
        self.file = file
        queries = arguments[BrokerEndpoint.queries.option]
        let works: [(Bool, Work)] = [
            (arguments[Self.once], .runOnce), (arguments[Self.showsStatus], .status), (arguments[Self.pauses], .pause),
            (arguments[Self.resumes], .resume),
        ]
        let chosen = works.filter(\.0)
        guard chosen.count <= 1 else { throw UsageError("expected one of --once, --status, --pause and --resume") }
        work = chosen.first?.1 ?? .run
    }

    func run(_ console: Console) throws -> ExitStatus {
        let (configuration, subscribers, endpoints) = try configured()
        let control = SubscriberControl(configuration: configuration, queries: endpoints.queries, console: console)
        switch work {
        case .run, .runOnce:
            return try SubscriberProcess(
                configuration, among: subscribers, endpoints, isOnce: work == .runOnce, console
            ).run()
        case .status: return try control.showStatus()
        case .pause: return try control.setPaused(true)
        case .resume: return try control.setPaused(false)
        }
    }

    /// The subscriber's section, those of all, and where the broker is.
    private func configured() throws -> (
        SubscriberConfiguration, [SubscriberConfiguration], SubscriberProcess.Endpoints
    ) {
        let configuration: Configuration
        do throws(ConfigurationFaults) {
            configuration = try Configuration.read(servicesOf: file, InstalledServices(plugins))
        } catch {
            throw CommandFailure(error)
        }
        guard let subscriber = configuration.subscribers.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else {
            let names = configuration.subscribers.map(\.name)
            throw CommandFailure("\(file): \(Spelling.unknown("subscriber", name, among: names))")
        }
        let broker = configuration.broker
        return (
            subscriber, configuration.subscribers,
            SubscriberProcess.Endpoints(
                queries: queries ?? broker.queries.text, intents: broker.intents.text,
                admin: try broker.adminEndpoint().text)
        )
    }
}
