import Foundation

/// A new folder with a short path, so that Unix sockets fit; removed with its content at the end.
final class TemporaryFolder {
    let path: String

    init() throws {
        var template = Array("/tmp/ration-e2e-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        path = String(cString: made)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes a file or a folder with all that is in it.
    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }

    /// Writes a file.
    /// - Returns: its path.
    func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        return file
    }
}
