internal import CLinux
internal import Glibc

/// A process that runs: the leader of a group of its own, and what it writes. The kernel kills it when this process ends.
final class SpawnedProcess {
    let identifier: pid_t
    /// Readable when it has ended.
    let endDescriptor: Int32
    let outputs: [PipeReader]
    private(set) var hasEnded = false
    private let guardian: Guardian

    /// Starts a program.
    /// - Throws: ``SystemError`` with the `errno` of what failed: making the process or running the program.
    init(_ command: [String], _ guardian: Guardian) throws(SystemError) {
        self.guardian = guardian
        let output = try PipeReader.pipe(blocking: false)
        defer { close(output.writer) }
        let errors = try PipeReader.pipe(blocking: false)
        defer { close(errors.writer) }
        identifier = try Self.start(command, output.writer, errors.writer)
        outputs = [output.reader, errors.reader]
        guardian.guardGroup(identifier)
        // It is not waited for yet, so that the number is its own.
        endDescriptor = pidfd_open(identifier, 0)
        guard endDescriptor < 0 else { return }
        let code = errno
        send(signal: SIGKILL)
        guardian.forget(identifier)
        Self.wait(for: identifier)
        throw SystemError(operation: "watch \(command[0])", code: code)
    }

    deinit {
        if endDescriptor >= 0 { close(endDescriptor) }
    }

    private static func start(_ command: [String], _ output: Int32, _ errors: Int32) throws(SystemError) -> pid_t {
        let report = try PipeReader.pipe(blocking: true)
        let program = program(command[0])
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + command.dropFirst()).map { strdup($0) }
        words.append(nil)
        defer { for word in words { free(word) } }
        let identifier = ration_spawn(program, words, output, errors, report.writer)
        let forkCode = errno
        close(report.writer)
        guard identifier >= 0 else { throw SystemError(operation: "start \(command[0])", code: forkCode) }
        var code: Int32 = 0
        // It is closed by exec, or has the number that says why there was none.
        let result = withUnsafeMutableBytes(of: &code) { report.reader.read(into: $0) }
        guard case .bytes = result else { return identifier }
        wait(for: identifier)
        throw SystemError(operation: "start \(command[0])", code: code)
    }

    @discardableResult
    private static func wait(for identifier: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
        return status
    }

    /// The path of the running command where a program is named so: as it was started, also after its file was replaced.
    private static func program(_ name: String) -> String {
        guard name == ownProgram else { return name }
        var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink(ownProgram, &path, path.count - 1)
        guard count > 0, access(path, X_OK) == 0 else { return ownProgram }
        // Its own path makes a better name in the list of processes.
        return String(decoding: path[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Signals the process and all of its group.
    func send(signal: Int32) {
        // It is not waited for yet, so that its number is its own still.
        _ = kill(-identifier, signal)
    }

    /// How it ended; nil while it runs. What is left of its group is killed then. To be asked until it has ended.
    func takeEnd() -> ProcessEnd? {
        guard ration_has_ended(identifier) != 0 else { return nil }
        send(signal: SIGKILL)
        hasEnded = true
        guardian.forget(identifier)
        let status = Self.wait(for: identifier)
        let signal = ration_exit_signal(status)
        return signal > 0 ? .signal(signal) : .status(ration_exit_status(status))
    }
}

/// The path of this process's own program (proc(5)), which `SupervisedProcess.command` may name.
public let ownProgram = "/proc/self/exe"
