internal import Glibc

/// A call of the system's that failed.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was to be done, `make a pipe`.
    public var operation: String
    /// Its `errno`.
    public var code: Int32

    public var description: String { "cannot \(operation): \(String(cString: strerror(code)))" }
}
