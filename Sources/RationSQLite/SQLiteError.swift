internal import CSQLite

/// A SQLite file, or a statement on it, that cannot be used.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// Another process has the file, or keeps it locked for longer than one waits.
        case locked
        /// The file is not what it is taken for, or of a later version.
        case foreign
        /// It belongs to another publisher, scheduler or subscriber.
        case owner
        /// Any other result of SQLite's (sqlite.org/rescode.html).
        case result(Int32)
    }

    public var code: Code
    public var file: String
    public var message: String

    public init(_ code: Code, file: String, _ message: String) {
        self.code = code
        self.file = file
        self.message = message
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool { code == .locked }

    public var description: String { "\(file): \(message)" }
}
