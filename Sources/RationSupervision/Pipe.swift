internal import Glibc

/// The end of a pipe that is read without blocking; closed with the object.
final class PipeReader {
    let descriptor: Int32

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    enum Result {
        case bytes(Int)
        /// Nothing now.
        case nothing
        /// No process can write any more.
        case end
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Result {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end }
            if errno != EINTR { return errno == EAGAIN ? .nothing : .end }
        }
    }

    /// Makes a pipe that no program inherits; the thread that starts programs is the one that calls this.
    /// - Returns: its ends; whoever writes closes the second.
    static func pipe(blocking: Bool) throws(SystemError) -> (reader: PipeReader, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw SystemError(operation: "make a pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        if !blocking { _ = fcntl(ends[0], F_SETFL, O_NONBLOCK) }
        return (PipeReader(ends[0]), ends[1])
    }
}
