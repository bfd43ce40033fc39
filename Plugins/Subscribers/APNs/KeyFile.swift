public import RationES256
public import RationSubscribing

/// A `.p8` file of Apple's.
public enum KeyFile {
    private static let byteLimit = 64 * 1024

    /// Reads a key that nobody but its owner can read.
    /// - Throws: `PrivateFileError` with the file and what is wrong; no part of its content.
    public static func read(_ path: String) throws(PrivateFileError) -> SigningKey {
        let bytes = try PrivateFile.read(path, atMost: byteLimit)
        do throws(SigningError) {
            return try SigningKey(pem: bytes)
        } catch {
            throw PrivateFileError(path, error.message)
        }
    }
}
