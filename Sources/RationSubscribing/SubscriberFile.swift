internal import RationModel
public import RationSQLite

/// The SQLite file of a subscriber: for each log the cursor, what was set aside, whether it is paused, and what it takes
/// to find an event that ends the process. A storing subscriber has its output in the same file.
///
/// One process writes, others may read meanwhile. One thread uses it.
public final class SubscriberFile {
    /// How far a log is done.
    public struct Cursor: Hashable, Sendable {
        public var log: String
        /// The last sequence that is done, or that the filter left out.
        public var position: UInt64 = 0
        /// Events that were handed over and stored.
        public var events: UInt64 = 0
        /// Events that the log no longer had.
        public var gone: UInt64 = 0
        /// When the last of these events was decided, in milliseconds since 1970; 0 before the first.
        public var time: Int64 = 0
    }

    /// What was found out about events that end the process.
    struct Deaths: Hashable {
        /// Processes that have begun to hand over events since the last progress.
        var starts: Int64 = 0
        /// Up to this sequence events are handed over one by one; 0: none.
        var carefulUntil: UInt64 = 0
        /// The event that was handed over alone last, and how many processes have begun with it.
        var suspect: UInt64 = 0
        var suspectStarts: Int64 = 0
    }

    /// An event that was set aside.
    struct SetAside {
        var sequence: UInt64
        var bytes: [UInt8]
        var error: String
        var at: Instant
    }

    static let version: Int64 = 1

    public let name: String
    public let database: SQLiteDatabase
    /// The log that is followed; nil before the first page.
    public private(set) var cursor: Cursor?
    public private(set) var isPaused = false
    private(set) var deaths = Deaths()
    private let moveCursor: SQLiteStatement
    private let storeDeaths: SQLiteStatement

    /// Opens the file; makes it where there is none.
    /// - Parameter name: the subscriber whose file it is.
    /// - Throws: ``SQLiteError``; `owner` for another subscriber's file, `foreign` for one of a later version.
    public init(_ path: String, of name: String) throws {
        self.name = name
        database = try SQLiteDatabase(file: path, .shared)
        // Enough for what one page of a storing subscriber touches, so that nothing is written before the commit.
        try database.run("PRAGMA cache_size=-131072")
        try database.transaction { [database] in try Self.makeTables(in: database, name) }
        moveCursor = try database.prepare(
            """
            INSERT INTO ration_cursors(log, position, events, gone, time) VALUES(?1, ?2, ?3, ?4, ?5)
            ON CONFLICT(log) DO UPDATE SET position = ?2, events = ?3, gone = ?4, time = ?5
            """)
        storeDeaths = try database.prepare(
            "UPDATE ration_subscriber SET starts = ?1, careful_until = ?2, suspect = ?3, suspect_starts = ?4")
        try read()
    }

    private static func makeTables(in database: SQLiteDatabase, _ name: String) throws {
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS ration_subscriber(
                version INTEGER NOT NULL, name TEXT NOT NULL, log TEXT, paused INTEGER NOT NULL DEFAULT 0,
                starts INTEGER NOT NULL DEFAULT 0, careful_until INTEGER NOT NULL DEFAULT 0,
                suspect INTEGER NOT NULL DEFAULT 0, suspect_starts INTEGER NOT NULL DEFAULT 0)
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS ration_cursors(
                log TEXT PRIMARY KEY, position INTEGER NOT NULL, events INTEGER NOT NULL, gone INTEGER NOT NULL,
                time INTEGER NOT NULL) WITHOUT ROWID
            """)
        try database.run(
            """
            CREATE TABLE IF NOT EXISTS set_aside(
                log TEXT NOT NULL, sequence INTEGER NOT NULL, event, error TEXT NOT NULL, at INTEGER NOT NULL,
                PRIMARY KEY(log, sequence)) WITHOUT ROWID
            """)
        var found: (version: Int64, name: String)?
        try database.run("SELECT version, name FROM ration_subscriber") { found = ($0.integer(0), $0.text(1) ?? "") }
        guard let found else {
            try database.run(
                "INSERT INTO ration_subscriber(version, name) VALUES(?1, ?2)", [.integer(version), .text(name)])
            return
        }
        guard found.version == version else {
            throw SQLiteError(
                .foreign, file: database.file, "version \(found.version) of a subscriber's file, expected \(version)")
        }
        guard found.name.utf8.elementsEqual(name.utf8) else {
            throw SQLiteError(
                .owner, file: database.file, "it belongs to the subscriber '\(found.name)', not to '\(name)'")
        }
    }

    private func read() throws(SQLiteError) {
        var log: String?
        try database.run("SELECT log, paused, starts, careful_until, suspect, suspect_starts FROM ration_subscriber") {
            log = $0.text(0)
            isPaused = $0.integer(1) != 0
            deaths = Deaths(
                starts: $0.integer(2), carefulUntil: UInt64(bitPattern: $0.integer(3)),
                suspect: UInt64(bitPattern: $0.integer(4)), suspectStarts: $0.integer(5))
        }
        if let log { cursor = try Self.cursor(of: log, in: database) }
    }

    static func cursor(of log: String, in database: SQLiteDatabase) throws(SQLiteError) -> Cursor? {
        var cursor: Cursor?
        try database.run(
            "SELECT position, events, gone, time FROM ration_cursors WHERE log = ?1", [.text(log)]
        ) {
            cursor = Cursor(
                log: log, position: UInt64(bitPattern: $0.integer(0)), events: UInt64(bitPattern: $0.integer(1)),
                gone: UInt64(bitPattern: $0.integer(2)), time: $0.integer(3))
        }
        return cursor
    }

    /// Follows a log: from where it was left, or from its first event.
    func follow(_ log: String) throws {
        let next = try Self.cursor(of: log, in: database) ?? Cursor(log: log)
        try database.transaction {
            try database.run("UPDATE ration_subscriber SET log = ?1", [.text(log)])
            try write(next)
            try write(Deaths())
        }
        (cursor, deaths) = (next, Deaths())
    }

    /// Moves the cursor, together with what was set aside and what `store` writes: all of it or nothing.
    func commit(
        _ next: Cursor, deaths newDeaths: Deaths? = nil, setAside: [SetAside] = [], store: () throws -> Void = {}
    ) throws {
        try database.transaction {
            try store()
            for event in setAside { try write(event, log: next.log) }
            try write(next)
            if let newDeaths, newDeaths != deaths { try write(newDeaths) }
        }
        cursor = next
        if let newDeaths { deaths = newDeaths }
    }

    /// Stores what is known about events that end the process.
    func store(_ newDeaths: Deaths) throws {
        guard newDeaths != deaths else { return }
        try database.transaction { try write(newDeaths) }
        deaths = newDeaths
    }

    /// Pauses or goes on; it stays so over restarts.
    public func setPaused(_ isPaused: Bool) throws {
        try database.run("UPDATE ration_subscriber SET paused = ?1", [.integer(isPaused ? 1 : 0)])
        self.isPaused = isPaused
    }

    /// How many events of all logs were set aside.
    public func setAsideCount() throws -> UInt64 {
        var count: Int64 = 0
        try database.run("SELECT count(*) FROM set_aside") { count = $0.integer(0) }
        return UInt64(count)
    }

    private func write(_ cursor: Cursor) throws(SQLiteError) {
        try moveCursor.run([
            .text(cursor.log), .integer(Int64(bitPattern: cursor.position)), .integer(Int64(bitPattern: cursor.events)),
            .integer(Int64(bitPattern: cursor.gone)), .integer(cursor.time),
        ])
    }

    private func write(_ deaths: Deaths) throws(SQLiteError) {
        try storeDeaths.run([
            .integer(deaths.starts), .integer(Int64(bitPattern: deaths.carefulUntil)),
            .integer(Int64(bitPattern: deaths.suspect)), .integer(deaths.suspectStarts),
        ])
    }

    private func write(_ event: SetAside, log: String) throws(SQLiteError) {
        let text = String(validating: event.bytes, as: UTF8.self)
        try database.run(
            "INSERT OR REPLACE INTO set_aside(log, sequence, event, error, at) VALUES(?1, ?2, ?3, ?4, ?5)",
            [
                .text(log), .integer(Int64(bitPattern: event.sequence)), text.map { .text($0) } ?? .blob(event.bytes),
                .text(event.error), .integer(event.at.milliseconds),
            ])
    }
}
