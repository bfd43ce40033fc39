import Glibc

/// The data folder of a broker, locked against a second one as long as this lives.
public final class DataFolder: Sendable {
    public let path: String
    private let lock: Int32

    /// Makes the folder if it is not there, for its owner only, and locks it.
    /// - Throws: `DataFolderError` when another broker uses it, or it cannot be made.
    public init(_ path: String) throws(DataFolderError) {
        self.path = path
        try Self.make(path)
        let file = path + "/lock"
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw DataFolderError(path: file, code: errno) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            close(descriptor)
            throw DataFolderError(path: path, code: code)
        }
        lock = descriptor
    }

    deinit {
        close(lock)
    }

    /// Makes a folder and those above it; those that are new are there after a power loss, too.
    private static func make(_ path: String) throws(DataFolderError) {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
        var current = path.hasPrefix("/") ? "" : "."
        while !parts.isEmpty {
            let parent = current.isEmpty ? "/" : current
            current += "/" + parts.removeFirst()
            if mkdir(current, 0o700) == 0 {
                try sync(parent)
            } else if errno != EEXIST {
                throw DataFolderError(path: current, code: errno)
            }
        }
    }

    private static func sync(_ folder: String) throws(DataFolderError) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DataFolderError(path: folder, code: errno) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw DataFolderError(path: folder, code: errno) }
    }
}

/// A data folder that cannot be used.
public struct DataFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    /// The `errno`; `EWOULDBLOCK` when another process holds the lock.
    public var code: Int32

    public var description: String {
        code == EWOULDBLOCK
            ? "another broker uses the data folder \(path)"
            : "cannot use the data folder \(path): \(String(cString: strerror(code)))"
    }
}
