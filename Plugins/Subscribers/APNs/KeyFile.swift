internal import Glibc
public import RationES256

/// A `.p8` file of Apple's.
public enum KeyFile {
    private static let byteLimit = 64 * 1024

    /// Reads a key that nobody but its owner can read.
    /// - Throws: ``KeyFileError`` with the file and what is wrong; no part of its content.
    public static func read(_ path: String) throws(KeyFileError) -> SigningKey {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw KeyFileError(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        try check(descriptor, path)
        var bytes = [UInt8](repeating: 0, count: byteLimit)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw KeyFileError(path, String(cString: strerror(errno))) }
        do throws(SigningError) {
            return try SigningKey(pem: Array(bytes.prefix(count)))
        } catch {
            throw KeyFileError(path, error.message)
        }
    }

    private static func check(_ descriptor: Int32, _ path: String) throws(KeyFileError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw KeyFileError(path, String(cString: strerror(errno))) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw KeyFileError(path, "expected a file, found something else")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw KeyFileError(
                path,
                "expected a file that only its owner can use (mode 0600 or 0400), found mode 0\(mode): chmod 600 it")
        }
        guard status.st_size <= byteLimit else {
            throw KeyFileError(path, "expected at most \(byteLimit) bytes, found \(status.st_size)")
        }
    }
}

/// A key's file that cannot be used.
public struct KeyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public var file: String
    public var message: String

    init(_ file: String, _ message: String) {
        (self.file, self.message) = (file, message)
    }

    public var description: String { "\(file): \(message)" }
}
