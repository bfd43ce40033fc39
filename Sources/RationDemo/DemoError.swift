/// Why a day cannot be made up.
public struct DemoError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The tz database of this machine lacks a zone.
        case zone
    }

    public var code: Code
    /// The zone's name.
    public var value: String

    public var description: String { "the tz database has no zone '\(value)': is tzdata installed?" }
}
