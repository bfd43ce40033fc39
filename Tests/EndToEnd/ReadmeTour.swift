import Foundation
import TestProcesses
import Testing

@Suite("The README's tour")
struct ReadmeTour {
    @Test("every command of the tour works, in the order in which it stands there", .timeLimit(.minutes(10)))
    func works() throws {
        let script = try Self.script()
        let command = try Executables.ration()
        // Found by its own name, whatever the executable under test is called.
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/ration", withDestinationPath: command)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let tour = try ChildProcess(
            "bash", ["-c", script], environment: ["PATH": "\(folder.path):\(path)", "TMPDIR": folder.path])
        let ending = try tour.wait(milliseconds: 480_000)
        #expect(ending == .status(0), "\(tour.outputText)\n\(tour.errorText)")
        for text in [
            "ready", "com.myapp.entryReminder.59", "refused: status 1", "\"kind\":\"due\"", "stopped at sequence",
            "42 characters typed",
            #""whole":true,"remove":[],"add":[{"id":"com.myapp.habitReminder.water","calendar":{"hour":9,"minute":0,"second":0}"#,
        ] {
            #expect(tour.outputText.contains(text), "'\(text)' in \(tour.outputText)")
        }
        #expect(tour.errorText.contains("trigger.interval"), "\(tour.errorText)")
        #expect(tour.errorText.contains("did you mean 'reminder'?"), "\(tour.errorText)")
    }

    /// The `sh` blocks of the README, as one script that stops at the first command that fails, and leaves nothing
    /// running.
    private static func script() throws -> String {
        let readme = try String(contentsOfFile: "\(Executables.root)/README.md", encoding: .utf8)
        var blocks: [Substring] = []
        var isInside = false
        for line in readme.split(separator: "\n", omittingEmptySubsequences: false) {
            if isInside, line == "```" {
                isInside = false
            } else if isInside {
                blocks.append(line)
            } else {
                isInside = line == "```sh"
            }
        }
        try #require(blocks.contains { $0.contains("ration publish") })
        let head = ["set -euo pipefail", "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT", "cd '\(Executables.root)'"]
        return (head + blocks.map(String.init)).joined(separator: "\n")
    }
}
