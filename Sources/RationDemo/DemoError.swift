/// Why a day or facts cannot be made up.
public struct DemoError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The tz database of this machine lacks a zone.
        case zone
        /// A file of facts is somebody else's: it is left as it is.
        case foreignFile
    }

    public var code: Code
    /// The zone's name; the file's path.
    public var value: String

    public var description: String {
        switch code {
        case .zone: "the tz database has no zone '\(value)': is tzdata installed?"
        case .foreignFile: "\(value): expected a file that 'ration demo --facts' has made, found another database"
        }
    }
}
