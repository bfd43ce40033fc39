/// Facts that a scheduler needs: what a query of the configuration has to return. Every row begins with the text columns
/// `app` and `device`, which name its recipient; a query returns its rows ordered by those two, by their bytes.
public struct FactTable: Hashable, Sendable {
    /// The key under which the configuration gives the query.
    public var name: String
    public var meaning: String
    /// Beside `app` and `device`, in any order in the query.
    public var columns: [FactColumn]
    /// Whether the configuration may leave the query out.
    public var isOptional: Bool

    public init(_ name: String, _ meaning: String, _ columns: [FactColumn], isOptional: Bool = false) {
        (self.name, self.meaning, self.columns, self.isOptional) = (name, meaning, columns, isOptional)
    }
}

/// A column that a query has to return.
public struct FactColumn: Hashable, Sendable {
    /// What SQLite may return for it (sqlite.org/datatype3.html), and what the scheduler gets.
    public enum Form: String, Hashable, Sendable {
        /// TEXT.
        case text
        /// INTEGER.
        case wholeNumber
        /// INTEGER or REAL, finite; the scheduler gets a number.
        case number
        /// TEXT as RFC 3339, or INTEGER milliseconds since 1970; the scheduler gets an instant.
        case instant
        /// INTEGER 0 or 1.
        case truth
    }

    public var name: String
    public var form: Form
    public var meaning: String
    /// Whether it may be NULL, and whether the query may leave the column out, which means the same.
    public var isOptional: Bool

    public init(_ name: String, _ form: Form, _ meaning: String, isOptional: Bool = false) {
        (self.name, self.form, self.meaning, self.isOptional) = (name, form, meaning, isOptional)
    }
}
