/// A subcommand: what it is called, what it takes, what it does. One file each; `main.swift` lists them.
///
/// ```swift
/// struct PlanCommand: Command {
///     static let name = "plan"
///     static let summary = "Show what a device holds and what waits"
///     static let device = Argument<String>.required("DEVICE", "the device")
///     static let json = Option<Bool>.flag("json", "print JSON instead of a table")
///     static let arguments: [any ArgumentDeclaration] = [device]
///     static let options: [any OptionDeclaration] = [json]
///     static let examples = [Example("ration plan phone-1", "the plan of one device")]
/// ```
public protocol Command: Sendable {
    static var name: String { get }
    /// One line for the list of subcommands.
    static var summary: String { get }
    /// Paragraphs for its own help, behind the summary; one string a paragraph.
    static var details: [String] { get }
    static var arguments: [any ArgumentDeclaration] { get }
    static var options: [any OptionDeclaration] { get }
    static var examples: [Example] { get }

    /// Takes what was given.
    /// - Throws: `UsageError` when parameters that are right by themselves do not go together.
    init(_ arguments: ParsedArguments) throws

    /// Does the work; may block, and owns whatever threads it starts.
    /// - Throws: `CommandFailure` or any error whose description is for people (status 1); `UsageError` (status 2);
    ///   `OutputClosed` when whoever reads the output has gone (status 0).
    func run(_ console: Console) throws -> ExitStatus
}

extension Command {
    public static var details: [String] { [] }
    public static var arguments: [any ArgumentDeclaration] { [] }
    public static var options: [any OptionDeclaration] { [] }
    public static var examples: [Example] { [] }
}

/// A command line that works, and what it does.
public struct Example: Sendable {
    public var line: String
    public var meaning: String

    public init(_ line: String, _ meaning: String) {
        self.line = line
        self.meaning = meaning
    }
}
