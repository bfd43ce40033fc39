internal import CLinux
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
        fileDescriptor = ration_open_signalfd(&set)
        guard fileDescriptor >= 0 else { throw SignalError(operation: "open a file for signals", code: errno) }
    }

    deinit {
        close(fileDescriptor)
    }

    /// The next signal that waits; never blocks.
    /// - Returns: its number; nil if none waits.
    public func next() -> Int32? {
        var record = signalfd_siginfo()
        var count = 0
        repeat {
            count = read(fileDescriptor, &record, MemoryLayout<signalfd_siginfo>.size)
        } while count < 0 && errno == EINTR
        // The kernel gives whole records only.
        return count == MemoryLayout<signalfd_siginfo>.size ? Int32(truncatingIfNeeded: record.ssi_signo) : nil
    }
}
