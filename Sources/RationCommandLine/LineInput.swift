import Glibc

/// A file that cannot be read, or a line that is longer than allowed.
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file's name, `-` for standard input.
    public var file: String
    /// The line, from 1; nil for the file as a whole.
    public var line: Int?
    public var message: String

    public init(file: String, line: Int? = nil, _ message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    public var description: String {
        "\(file)\(line.map { ":\($0)" } ?? ""): \(message)"
    }
}

/// The lines of a file or of standard input, read as they come.
public final class LineInput {
    public let file: String
    /// The number of the line that was read last, from 1.
    public private(set) var lineNumber = 0
    /// What to watch for something to read; it stays this object's.
    public let fileDescriptor: Int32
    private let ownsDescriptor: Bool
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    /// Where it ends, if its end is in the buffer.
    private var end: Int?
    private var isAtEnd = false

    private static let chunkBytes = 1 << 18

    /// - Parameters:
    ///   - file: a path; `-` for standard input.
    ///   - limit: bytes of one line.
    /// - Throws: `InputError`.
    public init(file: String, limit: Int) throws(InputError) {
        self.file = file
        self.limit = limit
        ownsDescriptor = file != "-"
        fileDescriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
        guard fileDescriptor >= 0 else { throw InputError(file: file, String(cString: strerror(errno))) }
    }

    deinit {
        if ownsDescriptor { close(fileDescriptor) }
    }

    /// Whether `next` would have to read: there is no whole line, and the end has not come.
    public var needsMore: Bool { end == nil && !isAtEnd }

    /// Hands the next line to `body`, without its `\n`; waits for one.
    /// - Returns: nil at the end.
    /// - Throws: `InputError`, or what `body` throws.
    public func next<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result? {
        while needsMore { try readMore() }
        if let end { return try take(upTo: end, andSkip: 1, body) }
        return start < buffer.count ? try take(upTo: buffer.count, andSkip: 0, body) : nil
    }

    private func take<Result>(
        upTo end: Int, andSkip skipped: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
    ) throws -> Result {
        lineNumber += 1
        guard end - start <= limit else {
            throw InputError(file: file, line: lineNumber, "expected a line of at most \(limit) bytes")
        }
        let range = start..<end
        start = end + skipped
        self.end = nextEnd(from: start)
        return try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func nextEnd(from position: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, position < bytes.count,
                let end = memchr(base + position, 0x0A, bytes.count - position)
            else { return nil }
            // memchr returns an address inside the buffer.
            return UnsafeRawPointer(end) - base
        }
    }

    /// Reads what is there, which need not be a whole line; waits if there is nothing.
    /// - Throws: `InputError`, if a line is too long already or the file cannot be read.
    public func readMore() throws(InputError) {
        guard buffer.count - start <= limit else {
            throw InputError(file: file, line: lineNumber + 1, "expected a line of at most \(limit) bytes")
        }
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        let count = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: Self.chunkBytes))
        while true {
            let got = buffer.withUnsafeMutableBytes { bytes in
                // The buffer has just grown by `chunkBytes` behind `count`.
                bytes.baseAddress.map { read(fileDescriptor, $0 + count, Self.chunkBytes) } ?? 0
            }
            if got < 0 && errno == EINTR { continue }
            let code = errno
            buffer.removeLast(Self.chunkBytes - max(0, got))
            guard got >= 0 else { throw InputError(file: file, String(cString: strerror(code))) }
            isAtEnd = got == 0
            end = nextEnd(from: count)
            return
        }
    }
}
