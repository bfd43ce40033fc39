internal import CRocksDB

/// What RocksDB could not do.
public struct RocksError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of RocksDB's status that somebody can act on.
    public enum Code: Hashable, Sendable {
        /// Bytes on disk are not those that were written.
        case corruption
        /// The disk is full.
        case noSpace
        /// The disk or the folder cannot be written.
        case readOnly
        /// Another process, or another part of this one, has the database open.
        case locked
        /// The database is not there, or has families that were not asked for.
        case invalidArgument
        /// Reading or writing failed in another way.
        case inputOutput
        case other
    }

    public var code: Code
    /// The database's folder.
    public var folder: String
    /// RocksDB's words; most name the file.
    public var message: String

    public init(_ code: Code, folder: String, _ message: String) {
        self.code = code
        self.folder = folder
        self.message = message
    }

    /// The C interface gives the text of a status only (`Status::ToString`): its beginning is the code's name.
    init(folder: String, status: String) {
        self.init(Self.code(ofStatus: status), folder: folder, status)
    }

    private static func code(ofStatus status: String) -> Code {
        if status.hasPrefix("Corruption") { return .corruption }
        if status.hasPrefix("Invalid argument") { return .invalidArgument }
        guard status.hasPrefix("IO error") else { return .other }
        if status.contains("No space left on device") { return .noSpace }
        if status.contains("Read-only file system") || status.contains("Permission denied") { return .readOnly }
        if status.contains("/LOCK: ") { return .locked }
        return .inputOutput
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool { code == .locked }

    public var description: String { "\(folder): RocksDB: \(message)" }

    /// Calls what takes an `errptr`.
    static func check<Result>(
        _ folder: String, _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) throws(RocksError) -> Result {
        var status: UnsafeMutablePointer<CChar>?
        let result = body(&status)
        guard let status else { return result }
        defer { rocksdb_free(status) }
        throw RocksError(folder: folder, status: String(cString: status))
    }
}
