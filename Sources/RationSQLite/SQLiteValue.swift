/// A value that a statement takes or a row has (sqlite.org/datatype3.html).
public enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
}
