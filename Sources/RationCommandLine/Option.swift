public import RationConfiguration
import RationModel

/// A named parameter of a command: `--name VALUE`, `--name=VALUE`, or `--name` for a flag.
public struct Option<Value: Sendable>: Parameter {
    public let name: String
    public let meaning: String
    /// What stands for its value in the help, `FILE`; nil for a flag.
    public let placeholder: String?
    /// What holds without it, as the help tells it.
    public let defaultText: String?
    /// Whether it may be given more than once.
    public let isRepeatable: Bool
    private let read: @Sendable ([String]) throws(Mismatch) -> Value

    /// An option with a reading of its own.
    /// - Parameter read: makes the value of the texts given, in their order; of none when the option is absent.
    public init(
        _ name: String, _ placeholder: String?, _ meaning: String, defaultText: String? = nil,
        isRepeatable: Bool = false, read: @escaping @Sendable ([String]) throws(Mismatch) -> Value
    ) {
        self.name = name
        self.placeholder = placeholder
        self.meaning = meaning
        self.defaultText = defaultText
        self.isRepeatable = isRepeatable
        self.read = read
    }

    public func value(of texts: [String]) throws(Mismatch) -> Value {
        try read(texts)
    }
}

/// An option of any type, as the parser and the help see it.
public protocol OptionDeclaration: Parameter {
    var placeholder: String? { get }
    var defaultText: String? { get }
    var isRepeatable: Bool { get }
}

extension Option: OptionDeclaration {}

extension Option where Value == Bool {
    /// `--name`, on or off.
    public static func flag(_ name: String, _ meaning: String) -> Option {
        Option(name, nil, meaning) { texts in !texts.isEmpty }
    }
}

extension Option where Value == String? {
    /// A text or a path; nil when absent.
    public static func text(_ name: String, _ placeholder: String, _ meaning: String, defaultText: String? = nil)
        -> Option
    {
        Option(name, placeholder, meaning, defaultText: defaultText) { texts in texts.first }
    }
}

extension Option where Value == String {
    /// A text or a path, with a default.
    public static func text(_ name: String, _ placeholder: String, _ meaning: String, default value: String) -> Option {
        Option(name, placeholder, meaning, defaultText: value) { texts in texts.first ?? value }
    }
}

extension Option where Value == Int {
    /// A whole number in a range, with a default.
    public static func number(
        _ name: String, _ placeholder: String, in range: ClosedRange<Int>, default value: Int, _ meaning: String
    ) -> Option {
        Option(name, placeholder, meaning, defaultText: String(value)) { texts throws(Mismatch) in
            guard let text = texts.first else { return value }
            return try ValueText.number(text, in: range)
        }
    }
}

extension Option where Value == Int? {
    /// A whole number in a range; nil when absent.
    public static func number(
        _ name: String, _ placeholder: String, in range: ClosedRange<Int>, _ meaning: String
    ) -> Option {
        Option(name, placeholder, meaning) { texts throws(Mismatch) in
            guard let text = texts.first else { return nil }
            return try ValueText.number(text, in: range)
        }
    }
}

extension Option where Value == Int64? {
    /// A duration such as `90s`, in milliseconds; nil when absent.
    public static func duration(_ name: String, _ placeholder: String, _ meaning: String) -> Option {
        Option(name, placeholder, meaning) { texts throws(Mismatch) in
            guard let text = texts.first else { return nil }
            return try ValueText.duration(text)
        }
    }
}

extension Option where Value == Int64 {
    /// A duration such as `90s`, in milliseconds.
    /// - Parameter value: what holds without it, written the same way.
    public static func duration(
        _ name: String, _ placeholder: String, default value: String, _ meaning: String
    ) -> Option {
        Option(name, placeholder, meaning, defaultText: value) { texts throws(Mismatch) in
            try ValueText.duration(texts.first ?? value)
        }
    }
}

extension Option where Value == [String] {
    /// Any number of texts: `--kind due --kind evicted` or `--kind due,evicted`.
    /// - Parameter words: what may be named; empty for any text.
    public static func list(
        _ name: String, _ placeholder: String, oneOf words: [String] = [], _ meaning: String,
        defaultText: String? = nil
    ) -> Option {
        Option(name, placeholder, meaning, defaultText: defaultText, isRepeatable: true) { texts throws(Mismatch) in
            try ValueText.list(texts, oneOf: words)
        }
    }
}

/// How the values of options are read.
enum ValueText {
    static func number(_ text: String, in range: ClosedRange<Int>) throws(Mismatch) -> Int {
        guard let number = Int(text), range.contains(number), !text.hasPrefix("+") else {
            throw Mismatch(
                "expected a whole number from \(range.lowerBound) to \(range.upperBound), found '\(Quoted.short(text))'"
            )
        }
        return number
    }

    static func duration(_ text: String) throws(Mismatch) -> Int64 {
        guard let milliseconds = WrittenDuration.milliseconds(text) else {
            throw Mismatch("expected a duration such as 500ms, 90s, 5m, 1h or 7d, found '\(Quoted.short(text))'")
        }
        return milliseconds
    }

    static func list(_ texts: [String], oneOf words: [String]) throws(Mismatch) -> [String] {
        var values: [String] = []
        for text in texts {
            for part in text.split(separator: ",", omittingEmptySubsequences: false) {
                let value = String(part)
                guard !value.isEmpty else { throw Mismatch("expected a value, found an empty one") }
                guard words.isEmpty || words.contains(value) else {
                    throw Mismatch(Spelling.unknown("value", value, among: words))
                }
                values.append(value)
            }
        }
        return values
    }
}
