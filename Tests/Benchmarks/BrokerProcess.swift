import Foundation

/// A `ration broker` on a free port, in a data folder of its own.
final class BrokerProcess {
    let command: [String]
    let endpoint: String
    /// Its endpoint for queries.
    let queries: String
    private let child: Child
    private let folder: URL

    var identifier: Int32 { child.identifier }

    /// - Parameter path: of the command `ration`.
    init(_ path: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("ration-bench-\(getpid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let options = [
            "broker", "--data", folder.path, "--intents", "tcp://127.0.0.1:0", "--events", "tcp://127.0.0.1:0",
            "--queries", "tcp://127.0.0.1:0", "--http", "off",
        ]
        command = [path] + options
        child = try Child(path, options)
        var (endpoint, queries) = ("", "")
        var line = ""
        while line != "ready" {
            line = try child.line()
            if line.hasPrefix("intents ") { endpoint = String(line.dropFirst("intents ".count)) }
            if line.hasPrefix("queries ") { queries = String(line.dropFirst("queries ".count)) }
        }
        (self.endpoint, self.queries) = (endpoint, queries)
    }

    deinit {
        child.end()
        // What is left in the folder for temporary files harms nobody.
        try? FileManager.default.removeItem(at: folder)
    }

    /// The command that RATION names, or the one beside this program, built anew.
    static func path() throws -> String {
        if let path = ProcessInfo.processInfo.environment["RATION"], !path.isEmpty { return path }
        let folder = Child.own.deletingLastPathComponent()
        let build = folder.deletingLastPathComponent().deletingLastPathComponent()
        let package = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let swift = try Child(
            "/usr/bin/env",
            [
                "swift", "build", "--package-path", package.path, "--scratch-path", build.path,
                "--configuration", folder.lastPathComponent, "--product", "ration",
            ], isRead: false)
        guard swift.wait() == 0 else { throw BenchmarkError("the command 'ration' cannot be built") }
        return folder.appendingPathComponent("ration").path
    }
}
