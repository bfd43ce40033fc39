public import RationConfiguration

/// Something that a command takes: an option or a positional argument, with the type of its value.
public protocol Parameter<Value>: Sendable {
    associatedtype Value: Sendable

    /// `intents` for `--intents`; `APP` for a positional argument.
    var name: String { get }
    /// What it is for, a phrase.
    var meaning: String { get }
    /// Reads what was given, in its order; empty when nothing was.
    func value(of texts: [String]) throws(Mismatch) -> Value
}

/// What a command was given: texts that every declared parameter has accepted already.
///
/// `arguments[Self.device]` has the type of that parameter's value.
public struct ParsedArguments: Sendable {
    var texts: [String: [String]] = [:]
    /// The names of the parameters that the command declares.
    var declared: Set<String> = []

    /// The value of a parameter that the command declares.
    public subscript<Value>(parameter: some Parameter<Value>) -> Value {
        precondition(declared.contains(parameter.name), "'\(parameter.name)' is not declared by the command")
        do {
            return try parameter.value(of: texts[parameter.name] ?? [])
        } catch {
            preconditionFailure("'\(parameter.name)' was accepted and is refused now: \(error)")
        }
    }

    /// Whether the command line names it.
    public func names(_ parameter: some Parameter) -> Bool {
        texts[parameter.name] != nil
    }
}
