internal import RationBus
internal import RationModel
internal import RationSQLite

/// What a scheduler knows, in one SQLite file that it has to itself: what was published for each recipient, the requests
/// that are not acknowledged yet, and how far the events were read. It is the publisher's outbox, too, so that a request and
/// what it changes about the recipients are one transaction. One thread uses it.
///
/// A request has a sequence number of its own, which the broker's number follows at a distance: a broker that starts anew
/// gives new numbers, and what refers to a request stays right.
public final class SchedulerState {
    /// The version of the tables, in `user_version`.
    static let formatVersion: Int64 = 1

    public let file: String
    let database: SQLiteDatabase
    /// The event log that the numbers and the cursor belong to; nil: nothing was ever sent.
    public internal(set) var log: String?
    /// The next request's sequence number, from 1 on.
    var nextRequest: UInt64
    /// The broker's number of a request less its sequence number, modulo 2^64.
    var numberDistance: UInt64
    /// Up to where the events were read; nil: what is there now is of no interest.
    var cursor: UInt64?
    /// The batches of the last acknowledged requests. A request that is not among them and has its acknowledgement is older
    /// than every event that is still to be read.
    var batches: [UInt64: UInt64] = [:]
    /// Changes whenever what is known of all recipients is trusted less than before.
    var epoch = 0
    /// What the next request that is stored changes.
    var staged: [StagedRecipient] = []
    var nextKey: Int64
    let statements: Statements

    /// What is done over and over.
    struct Statements {
        let putRecipient, putPublished, removePublished, removeRecipient, find, published, page, first: SQLiteStatement
    }

    /// Opens the file, or makes it.
    /// - Parameters:
    ///   - name: the scheduler's name, to which the file belongs.
    ///   - plugin: the plugin's name, to which it belongs as well.
    /// - Throws: `SQLiteError` with the file: `locked`, `foreign`, `owner`, or what SQLite says.
    public init(file: String, name: String, plugin: String) throws {
        self.file = file
        database = try SQLiteDatabase(file: file, .alone)
        // A request of 2 MiB and what it changes fit, and the file itself is written once for many of them.
        try database.run("PRAGMA cache_size = -65536")
        try database.run("PRAGMA wal_autocheckpoint = 8192") { _ in }
        let version = try Self.version(of: database)
        if version == 0 { try Self.create(in: database, name: name, plugin: plugin) }
        guard version <= Self.formatVersion else {
            throw SQLiteError(
                .foreign, file: file, "its format is version \(version); this program knows \(Self.formatVersion)")
        }
        let row = try Self.ownRow(in: database, name: name, plugin: plugin)
        (log, nextRequest, numberDistance, cursor) = (row.log, row.next, row.distance, row.cursor)
        var (batches, key): ([UInt64: UInt64], Int64) = ([:], 0)
        try database.run("SELECT request, batch FROM acknowledgements") { row in
            batches[UInt64(bitPattern: row.integer(0))] = UInt64(bitPattern: row.integer(1))
        }
        try database.run("SELECT max(key) FROM recipients") { key = $0.integer(0) }
        (self.batches, nextKey) = (batches, key + 1)
        statements = try Statements(database)
    }

    private static func version(of database: SQLiteDatabase) throws(SQLiteError) -> Int64 {
        var (version, tables, isOurs): (Int64, Int64, Int64) = (0, 0, 0)
        try database.run("PRAGMA user_version") { version = $0.integer(0) }
        try database.run("SELECT count(*), count(*) FILTER (WHERE name = 'scheduler') FROM sqlite_schema") {
            (tables, isOurs) = ($0.integer(0), $0.integer(1))
        }
        guard tables == 0 && version == 0 || isOurs == 1 && version > 0 else {
            throw SQLiteError(.foreign, file: database.file, "it is a database, but not a scheduler's state")
        }
        return version
    }

    private static func create(in database: SQLiteDatabase, name: String, plugin: String) throws {
        try database.transaction {
            for sql in [
                """
                CREATE TABLE scheduler (name TEXT NOT NULL, plugin TEXT NOT NULL, log TEXT, next INTEGER NOT NULL,
                    distance INTEGER NOT NULL, cursor INTEGER)
                """,
                "CREATE TABLE requests (request INTEGER PRIMARY KEY, body BLOB NOT NULL)",
                "CREATE TABLE acknowledgements (request INTEGER PRIMARY KEY, batch INTEGER NOT NULL)",
                """
                CREATE TABLE recipients (app TEXT NOT NULL, device TEXT NOT NULL, key INTEGER NOT NULL,
                    digest INTEGER NOT NULL, next INTEGER NOT NULL, doubt INTEGER NOT NULL, faults INTEGER NOT NULL,
                    PRIMARY KEY (app, device)) WITHOUT ROWID
                """,
                "CREATE TABLE published (key INTEGER PRIMARY KEY, list BLOB NOT NULL)",
            ] { try database.run(sql) }
            try database.run("INSERT INTO scheduler VALUES (?, ?, NULL, 1, 0, NULL)", [.text(name), .text(plugin)])
            try database.run("PRAGMA user_version = \(formatVersion)")
        }
    }

    private typealias OwnRow = (log: String?, next: UInt64, distance: UInt64, cursor: UInt64?)

    private static func ownRow(in database: SQLiteDatabase, name: String, plugin: String) throws(SQLiteError) -> OwnRow
    {
        var found: (name: String, plugin: String, row: OwnRow)?
        try database.run("SELECT name, plugin, log, next, distance, cursor FROM scheduler") { row in
            let cursor: UInt64? =
                if case .integer(let number) = row.value(5) { UInt64(bitPattern: number) } else { nil }
            found = (
                row.text(0) ?? "", row.text(1) ?? "",
                (row.text(2), UInt64(bitPattern: row.integer(3)), UInt64(bitPattern: row.integer(4)), cursor)
            )
        }
        guard let found, found.row.next > 0 else {
            throw SQLiteError(.foreign, file: database.file, "it is not a scheduler's state")
        }
        guard found.name.utf8.elementsEqual(name.utf8), found.plugin.utf8.elementsEqual(plugin.utf8) else {
            throw SQLiteError(
                .owner, file: database.file,
                "it belongs to scheduler '\(found.name)' of plugin '\(found.plugin)', not to '\(name)' of '\(plugin)'")
        }
        return found.row
    }
}

extension SchedulerState.Statements {
    init(_ database: SQLiteDatabase) throws(SQLiteError) {
        putRecipient = try database.prepare(
            """
            INSERT INTO recipients VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET
                digest = ?4, next = ?5, doubt = ?6, faults = ?7
            """)
        putPublished = try database.prepare("INSERT OR REPLACE INTO published VALUES (?, ?)")
        removePublished = try database.prepare("DELETE FROM published WHERE key = ?")
        removeRecipient = try database.prepare("DELETE FROM recipients WHERE app = ? AND device = ?")
        find = try database.prepare("SELECT key, next FROM recipients WHERE app = ? AND device = ?")
        published = try database.prepare("SELECT list FROM published WHERE key = ?")
        let columns = "SELECT app, device, key, digest, next, doubt, faults FROM recipients"
        first = try database.prepare("\(columns) ORDER BY app, device LIMIT ?1")
        page = try database.prepare("\(columns) WHERE (app, device) > (?2, ?3) ORDER BY app, device LIMIT ?1")
    }
}
