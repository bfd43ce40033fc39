internal import CSpawn
import Foundation
package import Testing

/// How a process ended.
package enum Ending: Equatable {
    case status(Int32)
    case signal(Int32)
}

/// A process that a test has started. Its output is read while the test waits for something of it; it never outlives
/// this object.
package final class ChildProcess {
    package let identifier: Int32
    /// What it has written so far, as far as the test has waited for it.
    package private(set) var output: [UInt8] = []
    package private(set) var errors: [UInt8] = []
    package private(set) var ending: Ending?
    private let name: String
    private var outputPipe: Int32
    private var errorPipe: Int32
    private var input: Int32
    /// Where the line begins that `nextLine` gives next.
    private var lineStart = 0

    /// - Parameters:
    ///   - path: the executable; without `/` it is looked for in PATH.
    ///   - input: what it reads from its standard input; nil keeps that open for `write`.
    ///   - file: gets what it writes, in place of `output`.
    package init(
        _ path: String, _ arguments: [String], input text: String? = "", environment: [String: String] = [:],
        outputTo file: String? = nil
    ) throws {
        let (errors, input) = (try Pipe(), try Pipe())
        let output = try file.map(Pipe.init(writingTo:)) ?? Pipe()
        identifier = try Self.spawn(
            path, arguments, streams: [input.reading, output.writing, errors.writing], environment: environment)
        Lifeline.shared.add(identifier)
        for descriptor in [input.reading, output.writing, errors.writing] { close(descriptor) }
        (outputPipe, errorPipe, self.input) = (output.reading, errors.reading, input.writing)
        name = "\(path.split(separator: "/").last ?? "") \(arguments.first ?? "")"
        if let text {
            write(text)
            closeInput()
        }
    }

    deinit {
        if ending == nil {
            kill(identifier, SIGKILL)
            Lifeline.shared.remove(identifier)
            _ = waitpid(identifier, nil, 0)
        }
        for descriptor in [outputPipe, errorPipe, input] where descriptor >= 0 { close(descriptor) }
    }

    /// A connected pair of sockets: unlike those of pipe(2), its ends are never inherited by what another thread starts.
    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init() throws {
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
            (reading, writing) = (ends[0], ends[1])
        }

        /// A file in place of a pipe: nothing is read of it.
        init(writingTo file: String) throws {
            writing = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard writing >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
            reading = -1
        }
    }

    /// Starts with default signal handlers and nothing blocked, whatever the test's process has.
    private static func spawn(
        _ path: String, _ arguments: [String], streams: [Int32], environment: [String: String]
    ) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, stream) in streams.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, stream, Int32(number))
        }
        // What other threads have open meanwhile is theirs: held open here, it would not end where they close it.
        posix_spawn_file_actions_addclosefrom_np(&actions, Int32(streams.count))
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in words + settings { free(text) } }
        var identifier: pid_t = 0
        let code = posix_spawnp(&identifier, path, &actions, &attributes, words, settings)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
        return identifier
    }

    package var outputText: String { String(decoding: output, as: UTF8.self) }
    package var errorText: String { String(decoding: errors, as: UTF8.self) }
    package var outputLines: [String] { outputText.split(separator: "\n").map(String.init) }

    /// Writes to its standard input; short texts, since nothing is read meanwhile.
    package func write(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes.withUnsafeBytes { Foundation.write(input, $0.baseAddress! + start, bytes.count - start) }
            guard count > 0 else { return }
            start += count
        }
    }

    /// Waits until it has read all that was written.
    package func waitUntilRead(_ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline()
        var unread: Int32 = 1
        while unread > 0 {
            // unix(7): SIOCOUTQ, which has the number of TIOCOUTQ.
            try #require(ioctl(input, UInt(TIOCOUTQ), &unread) == 0, sourceLocation: location)
            try deadline.require("\(name) reads its input", location)
        }
    }

    /// Waits until its main thread sleeps: until it waits for something itself.
    package func waitUntilItWaits(_ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline()
        // proc(5): the state stands behind the name, which is in parentheses.
        while try !String(contentsOfFile: "/proc/\(identifier)/stat", encoding: .utf8).contains(") S ") {
            try deadline.require("\(name) waits", location)
        }
    }

    package func closeInput() {
        close(input)
        input = -1
    }

    package func send(signal: Int32) {
        if ending == nil { kill(identifier, signal) }
    }

    /// Waits for the next line of its output.
    /// - Returns: nil at the end of the output.
    package func nextLine(_ location: SourceLocation = #_sourceLocation) throws -> String? {
        let deadline = Deadline()
        while true {
            if let end = output[lineStart...].firstIndex(of: 0x0A) {
                defer { lineStart = end + 1 }
                return String(decoding: output[lineStart..<end], as: UTF8.self)
            }
            guard outputPipe >= 0 else { return nil }
            try deadline.require("a line of \(name); errors: \(errorText)", location)
            pump(milliseconds: deadline.left)
        }
    }

    /// Waits until its errors contain a text.
    package func waitForErrors(containing text: String, _ location: SourceLocation = #_sourceLocation) throws {
        let deadline = Deadline()
        while !errorText.contains(text) {
            try #require(errorPipe >= 0, "'\(text)' in the errors of \(name): \(errorText)", sourceLocation: location)
            try deadline.require("'\(text)' in the errors of \(name): \(errorText)", location)
            pump(milliseconds: deadline.left)
        }
    }

    /// Whether nothing holds its output any more; looks without waiting.
    package var hasEnded: Bool {
        pump(milliseconds: 0)
        return ending != nil || outputPipe < 0 && errorPipe < 0
    }

    /// Waits until it has ended: until nothing holds its output any more.
    @discardableResult
    package func wait(
        milliseconds: Int = Deadline.standardMilliseconds, _ location: SourceLocation = #_sourceLocation
    ) throws -> Ending {
        if let ending { return ending }
        let deadline = Deadline(milliseconds: milliseconds)
        while outputPipe >= 0 || errorPipe >= 0 {
            try deadline.require("the end of \(name); errors: \(errorText)", location)
            pump(milliseconds: deadline.left)
        }
        var status: Int32 = 0
        Lifeline.shared.remove(identifier)
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        // wait(2): the low 7 bits are the signal, the next byte is the status.
        let ending = status & 0x7F == 0 ? Ending.status(status >> 8 & 0xFF) : .signal(status & 0x7F)
        self.ending = ending
        return ending
    }

    /// Takes what it has written, waiting for it.
    private func pump(milliseconds: Int) {
        var items = [outputPipe, errorPipe].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard poll(&items, 2, Int32(clamping: milliseconds)) > 0 else { return }
        if items[0].revents != 0 { Self.read(&outputPipe, into: &output) }
        if items[1].revents != 0 { Self.read(&errorPipe, into: &errors) }
    }

    private static func read(_ pipe: inout Int32, into bytes: inout [UInt8]) {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = Foundation.read(pipe, &chunk, chunk.count)
        if count > 0 {
            bytes += chunk[..<count]
        } else if count == 0 || errno != EINTR {
            close(pipe)
            pipe = -1
        }
    }

    /// Waits until it has ended well.
    /// - Returns: what it has written.
    @discardableResult
    package func waitForSuccess(_ location: SourceLocation = #_sourceLocation) throws -> String {
        let ending = try wait(location)
        try #require(ending == .status(0), "\(name): \(errorText)\(outputText)", sourceLocation: location)
        return outputText
    }

    /// Bytes of its memory that are resident.
    package func residentBytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1])) << 10
    }
}
