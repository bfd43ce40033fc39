internal import CLinux
internal import Glibc

/// A process beside the supervisor that kills what is left of its processes and of all that they have started, when the
/// supervisor ends without having ended them: by SIGKILL, say.
final class Guardian {
    private let identifier: pid_t
    private let pipe: Int32

    /// Before any thread is started.
    init() throws(SystemError) {
        var pipe: Int32 = -1
        identifier = ration_start_guardian(&pipe)
        guard identifier >= 0 else { throw SystemError(operation: "start a process", code: errno) }
        self.pipe = pipe
    }

    /// Ends it, and waits for that.
    deinit {
        close(pipe)
        while waitpid(identifier, nil, 0) < 0, errno == EINTR {}
    }

    func guardGroup(_ group: pid_t) { tell(group) }

    /// To be told before the number may be another's.
    func forget(_ group: pid_t) { tell(-group) }

    private func tell(_ number: pid_t) {
        var number = number
        // Four bytes are written whole; it reads as long as this process lives.
        while write(pipe, &number, MemoryLayout<pid_t>.size) < 0, errno == EINTR {}
    }
}
