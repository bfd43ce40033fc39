import RationModel

/// Finds what a misspelt name was meant to be: keys of a configuration, options and subcommands.
public enum Spelling {
    /// The name nearest to a misspelt one.
    /// - Returns: nil when none is as near as a third of the longer one's length; among equals the first.
    public static func nearest(to name: String, among names: [String]) -> String? {
        NearestName.nearest(to: name, among: names)
    }

    /// What is said of a name that does not exist: the nearest that does, or else all of them.
    /// - Parameters:
    ///   - kind: what it names, `key`.
    ///   - mark: what stands before such a name, `--`.
    ///   - place: what is said behind the name, ` for 'publish'`.
    public static func unknown(
        _ kind: String, _ name: String, among names: [String], mark: String = "", place: String = ""
    ) -> String {
        let start = "unknown \(kind) '\(mark)\(Quoted.short(name))'\(place)"
        if let nearest = nearest(to: name, among: names) { return "\(start), did you mean '\(mark)\(nearest)'?" }
        guard !names.isEmpty else { return start }
        return "\(start), expected one of \(names.map { mark + $0 }.joined(separator: ", "))"
    }
}

/// Text from outside inside a message of one line.
public enum Quoted {
    /// The text with its control characters written as `\u{1B}`, so that a message stays one harmless line.
    /// - Parameter limit: characters, before it is cut with `…`.
    public static func short(_ text: String, limit: Int = 60) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return result + "…" }
            let isControl = scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0)
            if isControl {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
            count += 1
        }
        return result
    }
}

/// A value that is not what was expected: `expected a whole number, found 'x'`.
public struct Mismatch: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}
