internal import Glibc

/// Signals that cannot be taken from the kernel as readable data.
public struct SignalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed.
    public var operation: String
    /// The `errno` that it gave.
    public var code: Int32

    public var description: String { "cannot \(operation): \(String(cString: strerror(code)))" }
}

/// Signals as something to wait for beside sockets, instead of handlers that interrupt (wire.md, "Rules for ZeroMQ").
///
/// Made in the main thread before any other thread is started: each thread inherits what is blocked, so that no thread
/// is interrupted or ended by one of these signals. A signal that comes twice before it is taken is one. They stay
/// blocked when the source is gone, and in processes that this one starts.
public final class SignalSource: Sendable {
    /// Readable while a signal waits; for a poller. It stays this object's.
    public let fileDescriptor: Int32

    /// Bytes of the kernel's `signalfd_siginfo`, which begins with the signal's number as 32 bits.
    private static let recordBytes = 128

    /// Blocks the signals in the calling thread and in all that it starts from now on.
    /// - Parameter signals: for example `[SIGINT, SIGTERM]`.
    /// - Throws: `SignalError`, if a number is no signal or the process has no file left.
    public init(_ signals: [Int32]) throws(SignalError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals {
            guard sigaddset(&set, signal) == 0 else {
                throw SignalError(operation: "wait for signal \(signal)", code: errno)
            }
        }
        let code = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard code == 0 else { throw SignalError(operation: "block signals", code: code) }
        fileDescriptor = try Self.open(&set)
    }

    deinit {
        close(fileDescriptor)
    }

    /// The next signal that waits; never blocks.
    /// - Returns: its number; nil if none waits.
    public func next() -> Int32? {
        withUnsafeTemporaryAllocation(byteCount: Self.recordBytes, alignment: 8) { record in
            var count = 0
            repeat {
                count = read(fileDescriptor, record.baseAddress, record.count)
            } while count < 0 && errno == EINTR
            // The kernel gives whole records only.
            return count == Self.recordBytes ? Int32(truncatingIfNeeded: record.load(as: UInt32.self)) : nil
        }
    }

    /// The Glibc module has no `sys/signalfd.h`: the function is looked up by its name.
    private static func open(_ set: inout sigset_t) throws(SignalError) -> Int32 {
        typealias SignalFD = @convention(c) (Int32, UnsafePointer<sigset_t>, Int32) -> Int32
        guard let symbol = dlsym(nil, "signalfd") else { throw SignalError(operation: "find signalfd", code: ENOSYS) }
        // The type is that of signalfd(2); SFD_NONBLOCK and SFD_CLOEXEC are O_NONBLOCK and O_CLOEXEC.
        let signalfd = unsafeBitCast(symbol, to: SignalFD.self)
        let descriptor = signalfd(-1, &set, O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw SignalError(operation: "open a file for signals", code: errno) }
        return descriptor
    }
}
