import Foundation

/// A process that this one has started and reads the output of; ended with this object, and with this process however
/// that ends.
final class Child {
    private let process = Process()
    private let output = Pipe()
    private let name: String
    private var buffer: [UInt8] = []

    /// This program.
    static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

    var identifier: Int32 { process.processIdentifier }

    /// - Parameter isRead: whether its output is read here; else it goes to standard error.
    init(_ path: String, _ arguments: [String], isRead: Bool = true) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        process.arguments = ["--pdeathsig", "TERM", path] + arguments
        if isRead { process.standardOutput = output } else { process.standardOutput = FileHandle.standardError }
        name = path
        do {
            try process.run()
        } catch {
            throw BenchmarkError("cannot start \(path): \(error.localizedDescription)")
        }
    }

    deinit {
        end()
    }

    /// The next line that it prints.
    /// - Throws: `BenchmarkError` if it ends before.
    func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else {
                throw BenchmarkError("\(name) has ended: status \(wait())")
            }
            buffer += data
        }
    }

    /// What it prints until it ends.
    func remainingLines() -> [Substring] {
        let bytes = buffer + output.fileHandleForReading.readDataToEndOfFile()
        buffer = []
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    /// Waits for it.
    /// - Returns: its status.
    @discardableResult
    func wait() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Asks it to end and waits for it.
    func end() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
