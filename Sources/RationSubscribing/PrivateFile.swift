internal import Glibc

/// A file that holds a secret: only its owner may be able to use it.
public enum PrivateFile {
    /// Reads all of it.
    /// - Parameter byteLimit: what a longer one is refused for.
    /// - Throws: ``PrivateFileError`` with the file and what is wrong; no part of its content.
    public static func read(_ path: String, atMost byteLimit: Int) throws(PrivateFileError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw PrivateFileError(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        try check(descriptor, path, byteLimit)
        var bytes = [UInt8](repeating: 0, count: byteLimit)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw PrivateFileError(path, String(cString: strerror(errno))) }
        return Array(bytes.prefix(count))
    }

    private static func check(_ descriptor: Int32, _ path: String, _ byteLimit: Int) throws(PrivateFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw PrivateFileError(path, String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw PrivateFileError(path, "expected a file, found something else")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw PrivateFileError(
                path,
                "expected a file that only its owner can use (mode 0600 or 0400), found mode 0\(mode): chmod 600 it")
        }
        guard status.st_size <= byteLimit else {
            throw PrivateFileError(path, "expected at most \(byteLimit) bytes, found \(status.st_size)")
        }
    }
}

/// A secret's file that cannot be used.
public struct PrivateFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    public var message: String

    public init(_ file: String, _ message: String) {
        (self.file, self.message) = (file, message)
    }

    public var description: String { "\(file): \(message)" }
}
