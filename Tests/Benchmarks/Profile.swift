import Foundation

/// Where a process spends its time, by perf.
final class Profile {
    private let perf: Child
    private let file: URL
    private static let lines = 25

    init(of process: Int32) throws {
        file = FileManager.default.temporaryDirectory.appendingPathComponent("ration-bench-\(getpid()).perf")
        perf = try Child("/usr/bin/env", ["perf", "record", "-q", "-o", file.path, "-p", "\(process)"])
    }

    /// Ends the recording.
    /// - Returns: the functions that took most of the time.
    func end() throws -> String {
        perf.end()
        defer { try? FileManager.default.removeItem(at: file) }
        let report = try Child(
            "/usr/bin/env",
            ["perf", "report", "-q", "--stdio", "--sort", "comm,dso,symbol", "-g", "none", "-i", file.path])
        var lines: [String] = []
        while lines.count < Self.lines, let line = try? report.line() {
            if !line.isEmpty { lines.append(line) }
        }
        return lines.joined(separator: "\n")
    }
}
