/// Why the tz database could not be read.
public struct ZoneError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// A directory or a file cannot be opened or read. A retry helps once it can.
        case unreadable
        /// The directory has no file that starts with `TZif`: the tz database is not installed there.
        case noZones
        /// A zone's file is not as RFC 9636 says. Installing the tz database again helps.
        case broken
    }

    public let code: Code

    /// The path of what could not be read.
    public let path: String

    /// The system's error number, 0 if there was none.
    public let errorNumber: Int32

    /// One sentence for people.
    public let message: String

    public var description: String { "\(path): \(message)" }
}
