public import RationBus
public import RationModel
public import RationSQLite

/// A storing subscriber that has something to do between pages: what it could not finish, what it tells the broker.
public protocol WorkingSubscriber: StoringSubscriber {
    /// What its metrics are read from, by any thread.
    var meter: any SubscriberMeter { get }

    /// Whether the process before this one has come further with events than its cursor says: then none of them has ended it.
    var hasAdvanced: Bool { get }

    /// Makes ready to work; called once, after ``StoringSubscriber/prepare(_:)``.
    /// - Throws: whatever makes working impossible; the process ends with it.
    func start(_ surroundings: SubscriberSurroundings) throws

    /// Does what has come due, in transactions of its own; called before each page and while there is none. It takes seconds at
    /// most, since meanwhile no page is handed over.
    /// - Returns: after how many milliseconds it wants to be called again; nil: with the next page.
    /// - Throws: what is tried again later; it is told.
    func work(in database: SQLiteDatabase) throws -> Int64?

    /// Whether it has something to tell the broker of what it has done that is not acknowledged. A process that ends when the log
    /// does lets it ``work(in:)`` until it has not.
    var isTelling: Bool { get }
}

extension WorkingSubscriber {
    public var isTelling: Bool { false }
}

/// Where a subscriber's metrics come from.
public protocol SubscriberMeter: Sendable {
    /// Prometheus' text format: whole lines.
    var metrics: String { get }
}

/// What a working subscriber finds around it.
public struct SubscriberSurroundings {
    /// The subscriber's name in the configuration.
    public var name: String
    /// Its file; files beside it, with longer names, are its own.
    public var data: String
    /// The broker's endpoints for intents, for queries, and for those who may read its folder.
    public var intents: String
    public var queries: String
    public var admin: String
    public var context: Context
    /// The wall clock.
    public var clock: @Sendable () -> Instant
    /// Tells a line to whoever looks after the process.
    public var tell: (String) -> Void

    public init(
        name: String, data: String, intents: String, queries: String, admin: String, context: Context,
        clock: @escaping @Sendable () -> Instant, tell: @escaping (String) -> Void
    ) {
        (self.name, self.data) = (name, data)
        (self.intents, self.queries, self.admin) = (intents, queries, admin)
        (self.context, self.clock, self.tell) = (context, clock, tell)
    }
}
