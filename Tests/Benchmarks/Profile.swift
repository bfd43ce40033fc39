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
        let lines = report.remainingLines().lazy
            .map { $0.split(separator: " ").filter { $0 != "-" }.joined(separator: " ") }
            .filter { !$0.isEmpty }
            .prefix(Self.lines)
        return lines.map { "  \($0)" }.joined(separator: "\n")
    }
}
