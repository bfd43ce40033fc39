import Glibc

/// Where a command writes: results to `output`, complaints to `errors`.
public struct Console: Sendable {
    public let output: LineOutput
    public let errors: LineOutput
    /// What `output` is connected to.
    public let terminal: Terminal
    /// Begins every complaint.
    public let program: String

    public init(output: LineOutput, errors: LineOutput, terminal: Terminal, program: String) {
        self.output = output
        self.errors = errors
        self.terminal = terminal
        self.program = program
    }

    /// The process's standard output and error.
    public static func standard(program: String) -> Console {
        Console(
            output: LineOutput(descriptor: STDOUT_FILENO), errors: LineOutput(descriptor: STDERR_FILENO),
            terminal: Terminal(descriptor: STDOUT_FILENO), program: program)
    }

    /// Tells a fault or a warning, `ration: …`, at once. When even standard error is gone there is nobody to tell.
    public func complain(_ message: String) {
        do {
            try errors.line("\(program): \(message)")
            try errors.flush()
        } catch {
            return
        }
    }
}
