/// A fault of a policy, or what is worth a warning: where it is, what was expected and what was found.
public struct PolicyFault: Error, Hashable, Sendable {
    /// The path from the policy's root, `types.habit.priority`, `caps[1].per`.
    public var path: String
    public var message: String

    public init(path: String, _ message: String) {
        self.path = path
        self.message = message
    }
}

/// The checks that several keys of a policy share; each adds its fault to those found before.
extension [PolicyFault] {
    mutating func check(_ value: Int, in range: ClosedRange<Int>, at path: String) {
        guard !range.contains(value) else { return }
        append(
            PolicyFault(
                path: path, "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(value)"))
    }

    mutating func checkCount(_ count: Int, atMost limit: Int, of what: StaticString, at path: String) {
        guard count > limit else { return }
        append(PolicyFault(path: path, "expected at most \(limit) \(what), found \(count)"))
    }

    /// A type's name is 1 to 64 plain bytes.
    mutating func checkName(_ name: String, at path: String) {
        var name = name
        guard !name.withUTF8({ Name.isPlain(UnsafeRawBufferPointer($0), limit: Limits.typeBytes) }) else { return }
        append(
            PolicyFault(
                path: path,
                "expected a name of 1 to \(Limits.typeBytes) letters, digits, '.', '-' or '_', found '\(name.shortened)'"
            ))
    }

    /// The types that a quiet window or a cap names.
    mutating func checkNames(_ names: [String]?, at path: String) {
        guard let names else { return }
        checkCount(names.count, atMost: Limits.ruleTypes, of: "types", at: path)
        for (index, name) in names.prefix(Limits.ruleTypes).enumerated() { checkName(name, at: "\(path)[\(index)]") }
    }
}

extension String {
    /// No more of a text than one can take in, for messages.
    public var shortened: String {
        let limit = 64
        guard utf8.count > limit else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.prefix(limit))) + "…"
    }
}
