internal import CSQLite

/// One SQLite file with one connection: the only place that says SQLite's C names. One thread uses it.
///
/// Every commit is one synced append to a write-ahead log beside the file. The connection keeps the file locked: SQLite
/// before 3.51.3 can damage a file whose log two connections checkpoint, and so there is no second one.
final class SQLiteDatabase {
    let file: String
    private let handle: OpaquePointer

    /// Opens or makes the file.
    /// - Throws: ``SQLiteError`` with the file and SQLite's words.
    init(file: String) throws(SQLiteError) {
        self.file = file
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let result = sqlite3_open_v2(file, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory"
            sqlite3_close_v2(handle)
            throw SQLiteError(.result(result), file: file, message)
        }
        self.handle = handle
        try run("PRAGMA locking_mode=EXCLUSIVE")
        try run("PRAGMA journal_mode=WAL")
        try run("PRAGMA synchronous=FULL")
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    /// A value that a statement takes.
    enum Value {
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    /// One row of a result, valid inside the call that lends it.
    struct Row {
        fileprivate let statement: OpaquePointer

        func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

        func text(_ column: Int32) -> String? {
            sqlite3_column_text(statement, column).map { String(cString: $0) }
        }

        func blob(_ column: Int32) -> [UInt8] {
            let bytes = sqlite3_column_blob(statement, column)
            return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
        }
    }

    /// Runs one statement to its end.
    func run(_ sql: String, _ values: [Value] = [], row: (Row) -> Void = { _ in }) throws(SQLiteError) {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        guard let statement else { return }
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() { try bind(value, Int32(index + 1), statement) }
        while true {
            let result = sqlite3_step(statement)
            if result == SQLITE_DONE { return }
            guard result == SQLITE_ROW else { throw error(result) }
            row(Row(statement: statement))
        }
    }

    /// Runs statements that take effect together or not at all.
    func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
        try run("BEGIN EXCLUSIVE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // The first error says what is wrong; after some errors SQLite has rolled back already.
            if sqlite3_get_autocommit(handle) == 0 { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
            throw error
        }
    }

    private func bind(_ value: Value, _ index: Int32, _ statement: OpaquePointer) throws(SQLiteError) {
        switch value {
        case .integer(let number):
            try check(sqlite3_bind_int64(statement, index, number))
        case .text(let text):
            try check(sqlite3_bind_text(statement, index, text, -1, ration_sqlite_transient()))
        case .blob(let bytes):
            // A blob without an address would be NULL; the length of one with an address may be 0.
            let result = bytes.withUnsafeBytes {
                sqlite3_bind_blob64(
                    statement, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count),
                    ration_sqlite_transient())
            }
            try check(result)
        }
    }

    private func check(_ result: Int32) throws(SQLiteError) {
        guard result == SQLITE_OK else { throw error(result) }
    }

    private func error(_ result: Int32) -> SQLiteError {
        switch result & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: SQLiteError(.locked, file: file, "another process has it open")
        case SQLITE_NOTADB: SQLiteError(.foreign, file: file, "it is not an outbox: \(message)")
        default: SQLiteError(.result(result), file: file, "\(message) (SQLite \(result))")
        }
    }

    private var message: String { String(cString: sqlite3_errmsg(handle)) }
}
