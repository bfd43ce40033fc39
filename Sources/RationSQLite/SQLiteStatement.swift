internal import CSQLite

/// A statement that is prepared once and run many times; it keeps its database open. One thread uses it.
public final class SQLiteStatement {
    private let database: SQLiteDatabase
    private let handle: OpaquePointer

    /// The names of the result's columns.
    public let columns: [String]

    /// - Throws: ``SQLiteError`` for SQL that SQLite does not take, or an empty one.
    init(_ sql: String, in database: SQLiteDatabase) throws(SQLiteError) {
        self.database = database
        handle = try database.compile(sql)
        let handle = handle
        columns = (0..<sqlite3_column_count(handle)).map { column in
            sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Whether it leaves the database as it is.
    public var readsOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

    /// Runs it to its end.
    public func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
        try read(values) { _ in }
    }

    /// Runs it to its end.
    /// - Parameter row: takes each row of the result; when it throws, the statement ends there.
    public func read(_ values: [SQLiteValue] = [], row: (SQLiteRow) -> Void) throws(SQLiteError) {
        defer {
            sqlite3_reset(handle)
            sqlite3_clear_bindings(handle)
        }
        for (index, value) in values.enumerated() { try bind(value, Int32(index + 1)) }
        while try step() { row(SQLiteRow(statement: handle)) }
    }

    /// Goes to the next row of a result that is read row by row; it begins anew after its end, or after ``reset()``.
    /// - Returns: the row, valid until the next call; nil at the end.
    public func next() throws(SQLiteError) -> SQLiteRow? {
        guard try step() else {
            sqlite3_reset(handle)
            return nil
        }
        return SQLiteRow(statement: handle)
    }

    /// Ends a result that is read row by row.
    public func reset() {
        sqlite3_reset(handle)
    }

    private func step() throws(SQLiteError) -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_DONE { return false }
        guard result == SQLITE_ROW else { throw database.error(result) }
        return true
    }

    private func bind(_ value: SQLiteValue, _ index: Int32) throws(SQLiteError) {
        let result =
            switch value {
            case .null: sqlite3_bind_null(handle, index)
            case .integer(let number): sqlite3_bind_int64(handle, index, number)
            case .real(let number): sqlite3_bind_double(handle, index, number)
            case .text(let text): bind(text, index)
            case .blob(let bytes): bind(bytes, index)
            }
        guard result == SQLITE_OK else { throw database.error(result) }
    }

    private func bind(_ text: String, _ index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                // Text without an address would be NULL.
                sqlite3_bind_text64(
                    handle, index, $0.baseAddress ?? UnsafePointer(bitPattern: 1), UInt64($0.count),
                    ration_sqlite_transient(), UInt8(SQLITE_UTF8))
            }
        }
    }

    private func bind(_ bytes: [UInt8], _ index: Int32) -> Int32 {
        bytes.withUnsafeBytes {
            // A blob without an address would be NULL; the length of one with an address may be 0.
            sqlite3_bind_blob64(
                handle, index, $0.baseAddress ?? UnsafeRawPointer(bitPattern: 1), UInt64($0.count),
                ration_sqlite_transient())
        }
    }
}
