internal import CSQLite

/// An outbox file that cannot be used.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's primary result code, or what this client found wrong.
    public enum Code: Hashable, Sendable {
        /// Another process has it open.
        case locked
        /// It is not an outbox, or one of a later version.
        case foreign
        /// It belongs to another publisher.
        case publisher
        /// Any other result of SQLite's (sqlite.org/rescode.html).
        case result(Int32)
    }

    public var code: Code
    public var file: String
    public var message: String

    init(_ code: Code, file: String, _ message: String) {
        self.code = code
        self.file = file
        self.message = message
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool { code == .locked }

    public var description: String { "\(file): \(message)" }
}
