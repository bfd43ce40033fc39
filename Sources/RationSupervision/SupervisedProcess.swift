internal import Glibc

/// A process of a deployment: how it is started, when, and what becomes of it when it ends.
public struct SupervisedProcess: Hashable, Sendable {
    public var name: String
    /// The program and its arguments; at least the program.
    public var command: [String]
    /// Those of a lower stage are started before, and stopped after.
    public var stage: Int
    /// A command that ends with status 0 once the process is ready; the next stage waits for it. nil: ready once started.
    ///
    /// ``ownNumber`` in it stands for the number of the process.
    public var readiness: [String]?
    public static let ownNumber = "{process}"
    /// Whether status 0 says that its work is done: it is not started again then.
    public var isJob = false
    /// Whether it gets the SIGHUP that the supervisor gets.
    public var takesHangUp = false
    /// How long it may take to end when it is asked to, before it is killed.
    public var patienceMilliseconds: Int64 = 5_000

    public init(name: String, command: [String], stage: Int) {
        precondition(!command.isEmpty, "\(name) has no program")
        (self.name, self.command, self.stage) = (name, command, stage)
    }
}

/// How a process ended.
public enum ProcessEnd: Hashable, Sendable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)
    /// It could not be started: the `errno`.
    case notStarted(Int32)

    public var description: String {
        switch self {
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .notStarted(let code): "cannot be started: \(String(cString: strerror(code)))"
        }
    }
}
