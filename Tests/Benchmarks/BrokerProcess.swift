import Foundation

/// A `ration broker` on free ports.
final class BrokerProcess {
    let command: [String]
    let endpoint: String
    /// Its endpoint for queries.
    let queries: String
    /// Its endpoint for live events.
    let events: String
    private let child: Child
    /// The data folder, if it goes with the process.
    private let ownFolder: URL?

    var identifier: Int32 { child.identifier }

    /// - Parameters:
    ///   - path: of the command `ration`.
    ///   - data: its data folder; nil: one of its own, which goes with it.
    init(_ path: String, data: URL? = nil) throws {
        let folder =
            data ?? FileManager.default.temporaryDirectory.appendingPathComponent("ration-bench-\(getpid())")
        ownFolder = data == nil ? folder : nil
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let options = [
            "broker", "--data", folder.path, "--intents", "tcp://127.0.0.1:0", "--events", "tcp://127.0.0.1:0",
            "--queries", "tcp://127.0.0.1:0", "--http", "off",
        ]
        command = [path] + options
        child = try Child(path, options)
        var endpoints: [Substring: String] = [:]
        var line = ""
        while line != "ready" {
            line = try child.line()
            let words = line.split(separator: " ")
            if words.count == 2 { endpoints[words[0]] = String(words[1]) }
        }
        endpoint = endpoints["intents"] ?? ""
        queries = endpoints["queries"] ?? ""
        events = endpoints["events"] ?? ""
    }

    deinit {
        child.end()
        // What is left in the folder for temporary files harms nobody.
        if let ownFolder { try? FileManager.default.removeItem(at: ownFolder) }
    }

    /// Ends it, and waits until it has ended.
    /// - Parameter signal: SIGTERM or SIGKILL.
    func end(_ signal: Int32) {
        kill(child.identifier, signal)
        child.wait()
    }

    /// Bytes that it has in memory (`VmRSS`, proc(5)).
    func residentBytes() throws -> Int {
        let text = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        guard let kibibytes = line?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
            throw BenchmarkError("the process \(identifier) does not tell its memory")
        }
        return kibibytes * 1_024
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
