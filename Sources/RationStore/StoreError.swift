internal import Glibc
internal import RationRocksDB

/// Why a store cannot be opened, read or written.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// What is on disk is not what was committed. The store stays closed: a backup has to be restored, or a person has to
        /// say what may be lost.
        case damaged
        /// A later version of this program made it.
        case format
        /// Another process has it open.
        case locked
        /// The disk is full.
        case noSpace
        /// The folder cannot be written.
        case readOnly
        /// Any other fault of the system or of RocksDB.
        case system
    }

    public var code: Code
    /// The file or folder.
    public var path: String
    public var message: String

    public init(_ code: Code, path: String, _ message: String) {
        self.code = code
        self.path = path
        self.message = message
    }

    /// Whether the same call may succeed later without any change but a little patience, or room on the disk.
    public var isRetryable: Bool { code == .locked || code == .noSpace }

    /// What to do about damage.
    public static let damageAdvice =
        "'ration log verify --data DATA' tells all that is damaged, while the broker is stopped; "
        + "'ration restore BACKUP DATA' begins again from a backup, in another data folder"

    /// With what to do, where anything is damaged.
    public var description: String { "\(path): \(message)" + (code == .damaged ? ". \(Self.damageAdvice)" : "") }

    init(_ error: RocksError) {
        let code: Code =
            switch error.code {
            case .corruption: .damaged
            case .noSpace: .noSpace
            case .readOnly: .readOnly
            case .locked: .locked
            case .invalidArgument, .inputOutput, .other: .system
            }
        self.init(code, path: error.folder, "RocksDB: \(error.message)")
    }

    /// The system's last error.
    init(errnoAt path: String, _ what: String) { self.init(system: errno, path: path, what) }

    /// An error of the system's.
    /// - Parameters:
    ///   - number: its `errno`.
    ///   - what: what could not be done.
    public init(system number: Int32, path: String, _ what: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT: .noSpace
            case EROFS, EACCES, EPERM: .readOnly
            default: .system
            }
        self.init(code, path: path, "\(what): \(String(cString: strerror(number)))")
    }
}
