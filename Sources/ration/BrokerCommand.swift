import Glibc
import RationBroker
import RationBus
import RationCommandLine
import RationConfiguration
import RationModel
import RationPlanner
import RationPluginKit
import RationStore

/// `ration broker`: the one that decides.
struct BrokerCommand: Command {
    static let name = "broker"
    static let summary = "Decide: take intents, give slots, publish events"
    static let details = [
        "Takes what services publish on the intents endpoint, decides it in batches, publishes events, and answers "
            + "queries. SIGTERM and SIGINT end it: what was received is decided, published and acknowledged first; "
            + "requests that come then are told to come back later.",
        "SIGHUP reads the configuration again: a policy, a tz database or categories that have changed are taken up as a "
            + "revision, and where that is needed recipients are replanned while intents go on. A file with a fault changes nothing. 'ration policy put' "
            + "replaces the policy until the next SIGHUP or start.",
        "Every key of the configuration's broker section is an option; an option wins over the file.",
    ]
    static let options = BrokerOptions.all
    static let examples = [
        Example("ration broker --config deploy/ration.yaml", "with a configuration"),
        Example("ration broker --data /tmp/ration --http off", "with defaults otherwise"),
    ]

    private let arguments: ParsedArguments

    init(_ arguments: ParsedArguments) {
        self.arguments = arguments
    }

    func run(_ console: Console) throws -> ExitStatus {
        let signals = try SignalSource([SIGTERM, SIGINT, SIGHUP])
        Self.raiseFileLimit()
        let zones = try InstalledZones.read()
        let configuration = try BrokerOptions.configuration(arguments, orders: plugins.orderNames, zones: zones)
        for warning in configuration.warnings { console.complain(warning.warning) }
        let settings = configuration.broker
        let folder = try DataFolder(settings.data)
        let store = try RocksDBStore(folder: folder.path + "/store", StoreSettings(settings))
        let policy = try PolicyRevision(configuration: settings, arguments)
        let broker = try Broker(
            policy: policy, zones: ZonesRevision(installed: zones),
            categories: CategoriesRevision(configuration: settings, arguments), policies: InstalledPolicies(),
            store: store,
            endpoints: BrokerEndpoints(
                intents: "\(settings.intents)", events: "\(settings.events)", queries: "\(settings.queries)",
                admin: "\(try settings.adminEndpoint())", http: settings.http.map { "\($0)" }),
            data: folder.path, server: "ration/\(version)")
        try tell(broker, store, folder, console)
        let reload = BrokerReload(arguments: arguments, started: settings)
        let isAsked = try wait(for: signals, or: broker, reload, console)
        if isAsked { console.complain("stopping: deciding what was received") }
        try broker.stop()
        guard isAsked else { throw CommandFailure("the broker ended by itself") }
        try console.output.line("stopped at sequence \(store.range.last), batch \(store.lastBatch)")
        try console.output.flush()
        return .success
    }

    /// Every connection is an open file: takes as many as the system allows this process.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private func tell(_ broker: Broker, _ store: RocksDBStore, _ folder: DataFolder, _ console: Console) throws {
        let endpoints = broker.endpoints
        try console.output.line(
            "log \(store.log), data \(folder.path), batch \(store.lastBatch), event \(store.range.last)")
        try console.output.line("intents \(endpoints.intents)")
        try console.output.line("events  \(endpoints.events)")
        try console.output.line("queries \(endpoints.queries)")
        try console.output.line("admin   \(endpoints.admin)")
        try console.output.line("http    \(endpoints.http ?? "off")")
        for revision in StoredRevision.Kind.allCases.compactMap({ store.revisions(of: $0).last }) {
            try console.output.line("\(revision.kind.rawValue) revision \(revision.number), \(revision.source)")
        }
        try console.output.line("ready")
        try console.output.flush()
    }

    /// Tells what the broker has to say, and reads the configuration again on SIGHUP, until something ends the broker.
    /// - Returns: whether a signal or an administrator ends it; else it has ended by itself.
    private func wait(
        for signals: SignalSource, or broker: Broker, _ reload: BrokerReload, _ console: Console
    ) throws -> Bool {
        var poller = Poller()
        _ = poller.add(fileDescriptor: signals.fileDescriptor)
        let ended = poller.add(fileDescriptor: broker.endedDescriptor)
        _ = poller.add(fileDescriptor: broker.noticesDescriptor)
        while true {
            try poller.wait(milliseconds: -1)
            for notice in broker.takeNotices() {
                console.complain(notice.line)
                if notice == .stopAsked { return true }
            }
            switch signals.next() {
            case nil: if poller.isReadable(ended) { return false }
            case SIGHUP: reload.run(broker, console)
            default: return true
            }
        }
    }
}

extension StoreSettings {
    init(_ broker: BrokerConfiguration) {
        self.init()
        retentionBytes = broker.retentionBytes
        retentionMilliseconds = broker.retentionMilliseconds
        watermarkBytes = broker.watermarkBytes
        watermarkPercent = broker.watermarkPercent
        ballastBytes = broker.ballastBytes
    }
}
