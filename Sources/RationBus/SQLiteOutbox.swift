internal import RationModel
internal import RationSQLite

/// An outbox in a file: what is stored survives the process and the machine's end. One process at a time uses it.
///
/// A publisher's name belongs to the file: whoever opens it later publishes under the same name.
public final class SQLiteOutbox: Outbox {
    /// The version of the tables, in `user_version`.
    static let formatVersion: Int64 = 1

    public let file: String
    /// The publisher whose numbers these are.
    public let publisher: String
    public private(set) var log: String?
    public private(set) var nextNumber: UInt64
    private let database: SQLiteDatabase

    /// Opens the file, or makes it.
    /// - Parameters:
    ///   - publisher: 1 to 64 bytes; nil: the one that the file names.
    ///   - newPublisher: the name that a new file gets when `publisher` is nil.
    /// - Throws: ``SQLiteError`` with the file: `locked`, `foreign`, `owner`, or what SQLite says.
    public init(file: String, publisher: String?, newPublisher: @autoclosure () -> String) throws {
        self.file = file
        database = try SQLiteDatabase(file: file, .alone)
        let version = try Self.version(of: database)
        if version == 0 { try Self.create(in: database, publisher: publisher ?? newPublisher()) }
        guard version <= Self.formatVersion else {
            throw SQLiteError(
                .foreign, file: file, "its format is version \(version); this program knows \(Self.formatVersion)")
        }
        var stored: (publisher: String, log: String?, next: Int64)?
        try database.run("SELECT publisher, log, next FROM state") { row in
            stored = (row.text(0) ?? "", row.text(1), row.integer(2))
        }
        guard let stored, stored.next > 0 else { throw SQLiteError(.foreign, file: file, "it is not an outbox") }
        guard publisher == nil || publisher == stored.publisher else {
            throw SQLiteError(
                .owner, file: file,
                "it belongs to publisher '\(stored.publisher)', not to '\(publisher ?? "")'")
        }
        self.publisher = stored.publisher
        log = stored.log
        nextNumber = UInt64(stored.next)
    }

    private static func version(of database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
        var (version, tables): (Int64, Int64) = (0, 0)
        try database.run("PRAGMA user_version") { version = $0.integer(0) }
        try database.run("SELECT count(*) FROM sqlite_schema") { tables = $0.integer(0) }
        guard version > 0 || tables == 0 else {
            throw SQLiteError(.foreign, file: database.file, "it is a database, but not an outbox")
        }
        return version
    }

    private static func create(in database: SQLiteDatabase, publisher: String) throws {
        guard (1...Limits.publisherBytes).contains(publisher.utf8.count) else {
            throw SQLiteError(
                .owner, file: database.file,
                "a publisher's name has 1 to \(Limits.publisherBytes) bytes, '\(publisher.prefix(80))' has "
                    + "\(publisher.utf8.count)")
        }
        try database.transaction {
            try database.run("CREATE TABLE state (publisher TEXT NOT NULL, log TEXT, next INTEGER NOT NULL)")
            try database.run("CREATE TABLE requests (number INTEGER PRIMARY KEY, body BLOB NOT NULL)")
            try database.run("INSERT INTO state VALUES (?, NULL, 1)", [.text(publisher)])
            try database.run("PRAGMA user_version = \(formatVersion)")
        }
    }

    public func unacknowledged() throws -> [OutboxEntry] {
        var entries: [OutboxEntry] = []
        try database.run("SELECT number, body FROM requests ORDER BY number") { row in
            entries.append(OutboxEntry(number: UInt64(bitPattern: row.integer(0)), body: row.blob(1)))
        }
        let first = nextNumber &- UInt64(entries.count)
        guard entries.enumerated().allSatisfy({ $1.number == first &+ UInt64($0) }) else {
            throw SQLiteError(.foreign, file: file, "its numbers have holes; it was changed by another program")
        }
        return entries
    }

    public func store(number: UInt64, body: [UInt8]) throws {
        // Numbers rise by one from 1: they stay far below 2^63.
        let signed = Int64(number)
        try database.transaction {
            try database.run("INSERT INTO requests VALUES (?, ?)", [.integer(signed), .blob(body)])
            try database.run("UPDATE state SET next = ?", [.integer(signed + 1)])
        }
        nextNumber = number + 1
    }

    public func remove(through number: UInt64) throws {
        try database.run("DELETE FROM requests WHERE number <= ?", [.integer(Int64(number))])
    }

    public func agree(on log: String, renumberingFrom firstNumber: UInt64?) throws {
        var count: Int64 = 0
        try database.run("SELECT count(*) FROM requests") { count = $0.integer(0) }
        let oldFirst = Int64(nextNumber) - count
        let newFirst = firstNumber.map { Int64($0) } ?? oldFirst
        try database.transaction {
            // By way of negative numbers, so that no number is taken twice on the way.
            try database.run("UPDATE requests SET number = -number")
            try database.run("UPDATE requests SET number = ? - number", [.integer(newFirst - oldFirst)])
            try database.run("UPDATE state SET log = ?, next = ?", [.text(log), .integer(newFirst + count)])
        }
        self.log = log
        nextNumber = UInt64(newFirst + count)
    }
}
