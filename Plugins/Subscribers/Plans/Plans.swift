internal import RationBus
internal import RationHTTP
public import RationModel
internal import RationPluginKit
public import RationSQLite
public import RationSubscribing
internal import RationWire

/// Keeps the plan of each device whose phone shows what is due by itself, and hands plans to phones over HTTP.
///
/// The event log says whose plan is another one; what that is, with contents, is asked of the broker. So a plan is always
/// that of one moment, and later events of the log that it has seen already change nothing.
public final class Plans: WorkingSubscriber {
    public static let name = "plans"
    public static let summary = "Hands phones their plans over HTTP, and tells them by a push when there is a new one"
    public static let settings = PlansSettings.descriptions
    /// Those with which what a device holds may be another.
    public static let kinds: [EventKind] = [.due, .expired, .cancelled, .evicted, .accepted]

    public var meter: any SubscriberMeter { counters }
    /// A page is stored in one transaction: nothing of it is done before.
    public var hasAdvanced: Bool { false }

    /// What the world is for it.
    struct Parts {
        var directory: any HoldingDirectory
        var clock: () -> Instant
        var tell: (String) -> Void
    }

    /// What tells phones that there is a new plan; set before the start. nil: nothing does.
    public var waker: (any PhoneWaking)?

    /// The name of the subscriber whose keys wake phones; empty: none is woken.
    public var wakingSubscriber: String { configuration.wake }

    let configuration: PlansSettings
    let counters = PlansMeter()
    let requests = PhoneRequests()
    var tables: PlansTables?
    var parts: Parts?
    var surveying = Surveying.beginning
    private var server: HTTPServer?

    public init(settings: [Setting]) throws(SettingFaults) {
        configuration = try PlansSettings(settings)
    }

    public func prepare(_ database: SQLiteDatabase) throws {
        try PlansTables.make(in: database)
        tables = try PlansTables(database)
    }

    public func start(_ surroundings: SubscriberSurroundings) throws {
        start(
            Parts(
                directory: BrokerHoldings(
                    admin: surroundings.admin, queries: surroundings.queries, in: surroundings.context),
                clock: surroundings.clock, tell: surroundings.tell))
        try serve(surroundings)
    }

    func start(_ parts: Parts) {
        self.parts = parts
    }

    /// Begins to answer phones.
    private func serve(_ surroundings: SubscriberSurroundings) throws {
        let desk = PlanDesk(
            try TokenSecret(file: configuration.secret), data: surroundings.data, requests: requests, meter: counters,
            clock: surroundings.clock)
        var limits = HTTPLimits()
        (limits.connections, limits.timeoutSeconds) = (configuration.connections, configuration.timeoutSeconds)
        let server = try HTTPServer(address: configuration.listen, limits: limits) { desk.answer($0) }
        self.server = server
        let host = configuration.listen.split(separator: ":").dropLast().joined(separator: ":")
        surroundings.tell("phones are answered at http://\(host):\(server.port)/v1/plans/APP/DEVICE")
    }

    public func store(_ page: EventPage, in database: SQLiteDatabase) throws {
        guard let tables else { preconditionFailure("a page before the preparation") }
        var recipients: [DevicesRequest.Recipient] = []
        // What each plan has seen of this log.
        var seen: [DevicesRequest.Recipient: UInt64] = [:]
        for event in page.events {
            let recipient = DevicesRequest.Recipient(app: event.app, device: event.device)
            let before = try seen[recipient] ?? self.seen(recipient, of: page.log, tables)
            if event.sequence > before { recipients.append(recipient) }
            // One look is for all of its events.
            seen[recipient] = event.sequence > before ? .max : before
        }
        try look(at: recipients)
    }

    private func seen(
        _ recipient: DevicesRequest.Recipient, of log: String, _ tables: PlansTables
    ) throws -> UInt64 {
        guard let plan = try tables.plan(recipient)?.plan, plan.log.utf8.elementsEqual(log.utf8) else { return 0 }
        return plan.seen
    }

    /// Brings plans to what the broker holds, inside a transaction.
    func look(at recipients: [DevicesRequest.Recipient]) throws {
        guard let parts else { preconditionFailure("a look before the start") }
        var rest = recipients[...]
        var reader = PhoneNotificationReader()
        while !rest.isEmpty {
            let asked = Array(rest.prefix(HoldingRequest.limit))
            let found = try parts.directory.holdings(asked)
            for (recipient, told) in zip(asked, found.told) {
                try take(told, of: recipient, found.answer, &reader)
            }
            counters.update { $0.asked += UInt64(found.told.count) }
            rest = rest.dropFirst(found.told.count)
        }
    }

    private func take(
        _ told: ToldHolding?, of recipient: DevicesRequest.Recipient, _ answer: HoldingAnswer,
        _ reader: inout PhoneNotificationReader
    ) throws {
        guard let tables, let parts else { preconditionFailure("a look before the start") }
        guard let told else { return try tables.remove(recipient) }
        let clock = parts.clock()
        var plan =
            try tables.plan(recipient)?.plan ?? PhonePlan(log: answer.log, sequence: answer.sequence, birth: clock)
        let before = plan.current
        let changes = plan.update(
            PhonePlan.Held(
                try reader.notifications(told), log: answer.log, sequence: answer.sequence, now: answer.now),
            clock: clock)
        try tables.put(
            plan, of: recipient, shape: PlanShape.hash(told), pushDate: waker == nil ? nil : plan.pushDate(answer.now),
            changes)
        if plan.current != before { counters.update { $0.revisions += 1 } }
    }

    public func forget() {}

    public func work(in database: SQLiteDatabase) throws -> Int64? {
        guard let tables, let parts else { preconditionFailure("work before the start") }
        try takeRequests(in: database, tables)
        let isSurveying = try survey(in: database, tables)
        let wait = try pushDue(in: database, tables, parts)
        let count = try tables.count()
        counters.update { $0.devices = count }
        // Phones do not wake this thread: it looks again soon for what they have asked.
        return isSurveying ? 0 : min(Self.lookMilliseconds, wait)
    }

    private static let lookMilliseconds: Int64 = 500

    /// Takes note of what phones have been given, and looks for devices that are not known or have nothing: that a device shows
    /// by itself what is due from now on makes no event.
    private func takeRequests(in database: SQLiteDatabase, _ tables: PlansTables) throws {
        let asked = requests.take()
        guard !asked.isEmpty else { return }
        try database.transaction {
            for (recipient, what) in asked {
                guard var stored = try tables.plan(recipient) else { continue }
                let (before, current) = (stored.plan, stored.plan.current)
                if let has = what.has, has.isComparable(to: current), has.number <= current.number {
                    stored.plan.give(has.number)
                }
                if let told = what.told, told.isComparable(to: current) { stored.plan.tell(told.number) }
                guard stored.plan != before else { continue }
                try tables.put(
                    stored.plan, of: recipient, shape: stored.shape,
                    pushDate: waker == nil ? nil : stored.plan.pushDate(parts?.clock() ?? .distantPast))
            }
            try look(at: asked.filter { $0.asked.isEmpty }.map(\.recipient))
        }
    }
}
