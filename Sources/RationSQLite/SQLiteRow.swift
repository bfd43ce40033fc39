internal import CSQLite

/// One row of a result, valid inside the call that lends it. Columns count from 0.
public struct SQLiteRow {
    let statement: OpaquePointer

    /// A number; 0 for what is none.
    public func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    public func real(_ column: Int32) -> Double { sqlite3_column_double(statement, column) }

    /// - Returns: nil for NULL.
    public func text(_ column: Int32) -> String? {
        bytes(column) { bytes in bytes.map { String(decoding: $0, as: UTF8.self) } }
    }

    public func blob(_ column: Int32) -> [UInt8] {
        let bytes = sqlite3_column_blob(statement, column)
        return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// Lends the bytes of a text; nil for NULL.
    public func bytes<Result>(_ column: Int32, _ body: (UnsafeRawBufferPointer?) -> Result) -> Result {
        guard let text = sqlite3_column_text(statement, column) else { return body(nil) }
        return body(UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))))
    }

    /// A value without a copy; texts and blobs are valid until the next row.
    public func view(_ column: Int32) -> SQLiteView {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(buffer(sqlite3_column_text(statement, column), column))
        case SQLITE_BLOB: .blob(buffer(sqlite3_column_blob(statement, column), column))
        default: .null
        }
    }

    private func buffer(_ start: UnsafeRawPointer?, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    public func value(_ column: Int32) -> SQLiteValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column) ?? "")
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }
}
