/// A value that a statement takes or a row has (sqlite.org/datatype3.html).
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}

/// A value of a row as SQLite holds it, valid until the row's statement goes on.
public enum SQLiteView {
    case null
    case integer(Int64)
    case real(Double)
    /// In UTF-8, as far as whoever stored it took care: SQLite does not check.
    case text(UnsafeRawBufferPointer)
    case blob(UnsafeRawBufferPointer)
}
