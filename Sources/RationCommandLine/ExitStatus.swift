public import RationConfiguration

/// What the command tells the shell.
public enum ExitStatus: Int32, Sendable {
    case success = 0
    /// The work failed, or a part of it was refused.
    case failure = 1
    /// The command line was wrong.
    case usage = 2
}

/// A command line that cannot be understood; status 2.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}

/// Work that failed for a reason that a person can read; status 1.
public struct CommandFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// One line each.
    public var messages: [String]

    public init(_ message: String) {
        messages = [message]
    }

    public init(_ faults: ConfigurationFaults) {
        messages = faults.faults.map(\.description)
    }

    public var description: String { messages.joined(separator: "\n") }
}
