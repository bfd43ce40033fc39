internal import CSQLite

/// One SQLite file with one connection: this target is the only one that says SQLite's C names. One thread uses it.
public final class SQLiteDatabase {
    /// How a file is used, and with whom it is shared. SQLite before 3.51.3 can damage a file whose write-ahead log two
    /// connections checkpoint; none of these lets that happen.
    public enum Use: Sendable {
        /// This process alone: each commit is one synced append to a write-ahead log, and the file stays locked.
        case alone
        /// This process writes, others may read: commits go through a rollback journal, synced.
        case shared
        /// Somebody else's file, which is only read.
        case reading
    }

    public let file: String
    private let handle: OpaquePointer

    /// How long one waits for a lock of another process, in milliseconds.
    public static let lockMilliseconds: Int32 = 5_000

    /// Opens the file; makes it, unless it is only read.
    /// - Throws: ``SQLiteError`` with the file and SQLite's words; `locked` if another process has it.
    public init(file: String, _ use: Use) throws(SQLiteError) {
        self.file = file
        var handle: OpaquePointer?
        let access = use == .reading ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let result = sqlite3_open_v2(file, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        guard result == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            sqlite3_close_v2(handle)
            throw SQLiteError(.result(result), file: file, message)
        }
        self.handle = handle
        switch use {
        case .alone:
            try run("PRAGMA locking_mode=EXCLUSIVE")
            try run("PRAGMA journal_mode=WAL")
            try run("PRAGMA synchronous=FULL")
        case .shared:
            sqlite3_busy_timeout(handle, Self.lockMilliseconds)
            try run("PRAGMA journal_mode=TRUNCATE")
            try run("PRAGMA synchronous=FULL")
        case .reading:
            sqlite3_busy_timeout(handle, Self.lockMilliseconds)
        }
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// Makes a statement that can be run many times.
    /// - Throws: ``SQLiteError`` with SQLite's words about the SQL.
    public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        try SQLiteStatement(sql, in: self)
    }

    /// Runs one statement to its end.
    public func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
        try prepare(sql).run(values)
    }

    /// Runs one statement to its end.
    /// - Parameter row: takes each row of the result.
    public func run(_ sql: String, _ values: [SQLiteValue] = [], row: (SQLiteRow) -> Void) throws(SQLiteError) {
        try prepare(sql).read(values, row: row)
    }

    /// Runs statements that take effect together or not at all.
    /// - Throws: ``SQLiteError``; what `body` throws.
    public func transaction<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try run("COMMIT")
            return result
        } catch {
            // The first error says what is wrong; after some errors SQLite has rolled back already.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    /// Reads several results of one state of the file, whatever others write meanwhile.
    /// - Throws: ``SQLiteError``; what `body` throws.
    public func reading<Result>(_ body: () throws -> Result) throws -> Result {
        try run("BEGIN")
        defer { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
        return try body()
    }

    func compile(_ sql: String) throws(SQLiteError) -> OpaquePointer {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard result == SQLITE_OK else { throw error(result) }
        guard let statement else { throw SQLiteError(.result(SQLITE_MISUSE), file: file, "the statement is empty") }
        return statement
    }

    func error(_ result: Int32) -> SQLiteError {
        let message = String(cString: sqlite3_errmsg(handle))
        return switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: SQLiteError(.locked, file: file, "another process has it locked")
        case SQLITE_NOTADB: SQLiteError(.foreign, file: file, "it is not a database: \(message)")
        default: SQLiteError(.result(result), file: file, "\(message) (SQLite \(result))")
        }
    }
}
