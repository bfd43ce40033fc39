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
        let command =
            "perf report -q --stdio --sort comm,dso,symbol -g none -i \"$0\" | swift demangle --compact --simplified"
        let report = try Child("/bin/sh", ["-c", command, file.path])
        var lines: [String] = []
        while lines.count < Self.lines, let line = try? report.line() {
            let words = line.split(separator: " ").filter { $0 != "-" }
            if !words.isEmpty { lines.append("  " + words.joined(separator: " ")) }
        }
        return lines.joined(separator: "\n")
    }
}
