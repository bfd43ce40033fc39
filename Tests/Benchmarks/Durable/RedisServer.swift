import Foundation

/// A `redis-server` on a Unix socket, in a folder of its own, that appends every change to its file.
final class RedisServer {
    let socketPath: String
    private let child: Child

    /// Where the program is; nil where it is not installed.
    static func program() -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
        return folders.map { "\($0)/redis-server" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    init(_ program: String, folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        socketPath = folder.appendingPathComponent("socket").path
        child = try Child(
            program,
            [
                "--port", "0", "--unixsocket", socketPath, "--dir", folder.path, "--save", "", "--appendonly", "yes",
                // Rewriting the file would only cost it time.
                "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0",
            ])
        while try !child.line().contains("eady to accept connections") {}
    }
}
