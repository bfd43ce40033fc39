import Glibc
import Synchronization

/// Whoever reads the output has gone (`| head`): the command ends quietly, with status 0.
public struct OutputClosed: Error, Hashable, Sendable {
    public init() {}
}

/// Output that could not be written for another reason.
public struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The `errno` of `write`.
    public var code: Int32

    public var description: String { "cannot write the output: \(String(cString: strerror(code)))" }
}

/// Lines to a file descriptor, through a buffer. Threads may share it; a line stays whole.
///
/// On a terminal each line goes out at once; otherwise with `flush()`, or when 64 KiB have gathered. A command that
/// follows something calls `flush()` whenever it is about to wait.
public final class LineOutput: Sendable {
    private let descriptor: Int32
    private let flushesEachLine: Bool
    private let buffer = Mutex<[UInt8]>([])
    private static let capacity = 64 * 1024

    /// - Parameter descriptor: stays open, and the caller's.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        flushesEachLine = isatty(descriptor) == 1
    }

    /// Writes a line and its end.
    /// - Throws: `OutputClosed`, `OutputError`.
    public func line(_ text: String) throws {
        try append(text.utf8)
    }

    /// Writes a line that is bytes already, and its end.
    public func line(bytes: UnsafeRawBufferPointer) throws {
        try append(bytes)
    }

    /// Writes bytes as they are: what rewrites the screen.
    public func text(_ text: String) throws {
        try buffer.withLock { buffer in
            buffer.append(contentsOf: text.utf8)
            if flushesEachLine || buffer.count >= Self.capacity { try write(&buffer) }
        }
    }

    /// Writes bytes as they are: whole lines that are rendered already.
    public func bytes(_ bytes: UnsafeRawBufferPointer) throws {
        try buffer.withLock { buffer in
            buffer.append(contentsOf: bytes)
            if flushesEachLine || buffer.count >= Self.capacity { try write(&buffer) }
        }
    }

    /// Whether whoever reads a pipe has gone: for commands that may have nothing to write for long.
    public var isReaderGone: Bool {
        var request = pollfd(fd: descriptor, events: 0, revents: 0)
        return poll(&request, 1, 0) > 0 && request.revents & Int16(POLLERR) != 0
    }

    /// Writes what has gathered.
    public func flush() throws {
        try buffer.withLock { try write(&$0) }
    }

    private func append(_ bytes: some Collection<UInt8>) throws {
        try buffer.withLock { buffer in
            buffer.append(contentsOf: bytes)
            buffer.append(UInt8(ascii: "\n"))
            if flushesEachLine || buffer.count >= Self.capacity { try write(&buffer) }
        }
    }

    /// Writes all of it; a descriptor that does not block now is waited for.
    private func write(_ buffer: inout [UInt8]) throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        var written = 0
        while written < buffer.count {
            // The buffer is not empty here, so that it has an address.
            let count = buffer.withUnsafeBytes { bytes in
                Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            case EPIPE: throw OutputClosed()
            default: throw OutputError(code: errno)
            }
        }
    }

    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&request, 1, -1)
    }
}
