/// A place in a text: line and column, in characters, from 1.
public struct YAMLPlace: Hashable, Comparable, Sendable {
    public var line: Int
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (left: YAMLPlace, right: YAMLPlace) -> Bool {
        (left.line, left.column) < (right.line, right.column)
    }
}

/// A value of a YAML or JSON document, with its place.
public struct YAMLNode: Hashable, Sendable {
    public enum Value: Hashable, Sendable {
        case scalar(YAMLScalar)
        case sequence([YAMLNode])
        /// In the order of the document; each key once.
        case mapping([YAMLEntry])
    }

    public var value: Value
    public var place: YAMLPlace
    /// How many levels it has: 1 for a scalar.
    public var height: Int

    /// Whether it stands for an absent value.
    public var isNull: Bool {
        if case .scalar(let scalar) = value { scalar.kind == .null } else { false }
    }

    /// What it is, for messages: `the number 64`, `a list`.
    public var summary: String {
        switch value {
        case .sequence: "a list"
        case .mapping: "a mapping"
        case .scalar(let scalar):
            switch scalar.kind {
            case .null: "nothing"
            case .truth: scalar.text
            case .wholeNumber, .otherNumber: "the number \(Quoted.short(scalar.text))"
            case .text: "the text '\(Quoted.short(scalar.text))'"
            }
        }
    }
}

/// A key of a mapping with its value.
public struct YAMLEntry: Hashable, Sendable {
    public var key: String
    /// Where the key stands; the value has a place of its own.
    public var place: YAMLPlace
    public var value: YAMLNode
}

/// A scalar: its text, and what it is taken for.
public struct YAMLScalar: Hashable, Sendable {
    /// Strict: `64` is a whole number, `"64"` a text, `64.0` and `0x40` other numbers, `yes` a text.
    public enum Kind: Hashable, Sendable {
        case null, truth, wholeNumber, otherNumber, text
    }

    public var text: String
    public var kind: Kind

    /// - Parameter isPlain: written without quotes and not as a block.
    public init(_ text: String, isPlain: Bool) {
        self.text = text
        kind = isPlain ? Self.kind(of: text) : .text
    }

    /// The rules of YAML 1.2's core schema, section 10.3.2, but what JSON does not write the same way is no whole
    /// number and no truth value.
    private static func kind(of text: String) -> Kind {
        switch text {
        case "", "~", "null", "Null", "NULL": .null
        case "true", "false": .truth
        default: isWholeNumber(text) ? .wholeNumber : isOtherNumber(text) ? .otherNumber : .text
        }
    }

    private static func isWholeNumber(_ text: String) -> Bool {
        let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
        guard text.utf8.count - digits.count <= 1, let first = digits.first else { return false }
        return digits.allSatisfy(isDigit) && (first != UInt8(ascii: "0") || digits.count == 1)
    }

    private static func isOtherNumber(_ text: String) -> Bool {
        let unsigned = text.utf8.drop { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") }
        guard text.utf8.count - unsigned.count <= 1 else { return false }
        let word = String(decoding: unsigned, as: UTF8.self)
        if [".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"].contains(word) { return true }
        if word.hasPrefix("0x") { return Int(word.dropFirst(2), radix: 16) != nil }
        if word.hasPrefix("0o") { return Int(word.dropFirst(2), radix: 8) != nil }
        guard let first = unsigned.first, isDigit(first) || first == UInt8(ascii: ".") else { return false }
        let isDecimal = unsigned.allSatisfy { isDigit($0) || ".eE+-".utf8.contains($0) }
        return isDecimal && Double(word.hasPrefix(".") ? "0" + word : word) != nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39
    }
}
