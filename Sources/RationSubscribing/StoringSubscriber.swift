public import RationPluginKit
public import RationSQLite

/// A subscriber whose output is a SQLite file: what it stores of a page is committed together with the cursor, in one
/// transaction, so that a crash at any moment neither loses an event nor counts one twice.
///
/// Its tables are its own, by any names but `ration_subscriber`, `ration_cursors` and `set_aside`. What it derives has
/// to depend on the events alone, not on how they are split into pages.
public protocol StoringSubscriber: Subscriber {
    /// Makes its tables where they are missing, inside a transaction; called once, before anything else.
    /// - Throws: whatever makes the file unusable; the process ends with it.
    func prepare(_ database: SQLiteDatabase) throws

    /// Stores what follows from a page, inside a transaction that is not its to end.
    /// - Parameter page: at least one event; after an error the same events come again, maybe in smaller pages.
    /// - Throws: ``SubscriberUnavailable`` for what is not the events' fault; anything else counts against them.
    func store(_ page: EventPage, in database: SQLiteDatabase) throws

    /// The last transaction was not committed: what the object remembers from its ``store(_:in:)`` is not true. The next
    /// one reads from the file what it needs.
    func forget()
}

/// A subscriber that commits by itself, elsewhere: the cursor is stored after it returns, so that after a crash it gets
/// the last page again (at least once).
public protocol CommittingSubscriber: Subscriber {
    /// Does what is to be done with a page, and returns when it is done for good.
    /// - Parameter page: at least one event; after an error or a crash the same events come again, maybe in smaller pages.
    /// - Throws: ``SubscriberUnavailable`` for what is not the events' fault; anything else counts against them.
    func handle(_ page: EventPage) throws
}

/// What a subscriber needs is away for now. The page is handed over again for ever, with growing waits, and no event is
/// blamed.
public struct SubscriberUnavailable: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}
