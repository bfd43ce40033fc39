internal import Glibc
internal import RationBus
internal import RationES256
public import RationModel
internal import RationPluginKit
public import RationSQLite
public import RationSubscribing

/// Sends what is due to phones over Apple's Push Notification service.
///
/// The cursor moves over an event when its push has ended, or is stored to be tried again. What ends before that is committed is
/// noted in a journal beside the file, so that a process that is killed sends again only what was under way.
public final class APNs: WorkingSubscriber {
    public static let name = "apns"
    public static let summary = "Sends what is due to phones over Apple's Push Notification service"
    public static let settings = APNsSettings.descriptions
    public static let kinds: [EventKind] = [.due]

    public var meter: any SubscriberMeter { counters }
    public var hasAdvanced: Bool { pageJournal?.hasGrown ?? false }
    /// Until it has looked, there may be feedback of the process before.
    private(set) public var isTelling = true

    /// What the world is for it.
    package struct Parts {
        var directory: any DeviceDirectory
        var transport: any PushSending
        var clock: () -> Instant
        var tell: (String) -> Void

        package init(
            directory: any DeviceDirectory, transport: any PushSending, clock: @escaping () -> Instant,
            tell: @escaping (String) -> Void
        ) {
            (self.directory, self.transport, self.clock, self.tell) = (directory, transport, clock, tell)
        }
    }

    let configuration: APNsSettings
    let counters = APNsMeter()
    var tables: APNsTables?
    var parts: Parts?
    var exchange: PushExchange?
    var pageJournal: EndedJournal?
    var retryJournal: EndedJournal?
    var publisher: FeedbackPublisher?
    /// Makes the publisher, again after an error.
    private var surroundings: SubscriberSurroundings?

    public init(settings: [Setting]) throws(SettingFaults) {
        configuration = try APNsSettings(settings)
    }

    public func prepare(_ database: SQLiteDatabase) throws {
        try APNsTables.make(in: database)
        tables = try APNsTables(database)
    }

    public func start(_ surroundings: SubscriberSurroundings) throws {
        let keys = try configuration.keys.map { key throws(PrivateFileError) in try KeyFile.read(key.file) }
        let transport = PushTransport(configuration, keys: keys)
        transport.tell = surroundings.tell
        self.surroundings = surroundings
        try start(
            Parts(
                directory: BrokerDirectory(admin: surroundings.admin, in: surroundings.context), transport: transport,
                clock: surroundings.clock, tell: surroundings.tell),
            data: surroundings.data)
    }

    /// - Parameter data: what the names of the journals begin with.
    package func start(_ parts: Parts, data: String) throws {
        self.parts = parts
        var limits = PushLimits()
        limits.streams = configuration.streams
        exchange = PushExchange(
            PushSender(keys: configuration.keys.count, limits: limits), parts.transport, clock: parts.clock)
        pageJournal = try EndedJournal("\(data).page")
        retryJournal = try EndedJournal("\(data).retry")
    }

    public func store(_ page: EventPage, in database: SQLiteDatabase) throws {
        guard let tables, let pageJournal else { preconditionFailure("a page before the start") }
        let candidates = page.events.filter { $0.kind == .due && $0.delivery == .push }.map { event in
            Candidate(event, log: page.log)
        }
        // Pages come in order: what the journal has of none of these events was committed.
        if !candidates.contains(where: { pageJournal.records[$0.source] != nil }) { try pageJournal.clear() }
        let outcome = try settle(candidates, pageJournal, tables)
        try write(outcome, into: tables, of: [])
        isTelling = true
    }

    public func forget() {
        publisher = nil
    }

    public func work(in database: SQLiteDatabase) throws -> Int64? {
        guard let tables, let parts, let retryJournal else { preconditionFailure("work before the start") }
        let isPublishing = try publish(in: database, tables)
        isTelling = isPublishing
        let now = parts.clock()
        let due = try tables.due(now, most: Self.retriesAtOnce)
        if !due.isEmpty {
            let outcome = try settle(due.map(Candidate.init), retryJournal, tables)
            try database.transaction { try write(outcome, into: tables, of: due.map(\.source)) }
            try retryJournal.clear()
            isTelling = true
        }
        let waiting = try tables.waiting()
        counters.update { $0.waiting = waiting.count }
        let connections = parts.transport.tend().map { max(1, Int64($0)) }
        if isPublishing || !due.isEmpty { return Self.publishingMilliseconds }
        let next = waiting.first.map { max(1, $0.milliseconds - parts.clock().milliseconds) }
        return [connections, next].compactMap { $0 }.min()
    }

    private static let retriesAtOnce = 1_000
    private static let publishingMilliseconds: Int64 = 20

    private func publish(in database: SQLiteDatabase, _ tables: APNsTables) throws -> Bool {
        guard let surroundings else { return false }
        let publisher =
            try publisher
            ?? FeedbackPublisher(
                name: surroundings.name, intents: surroundings.intents, database, meter: counters,
                in: surroundings.context)
        self.publisher = publisher
        return try publisher.advance(tables)
    }
}
