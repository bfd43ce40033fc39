public import RationConfiguration

/// A positional parameter of a command. One that takes the rest stands last.
public struct Argument<Value: Sendable>: Parameter {
    public let name: String
    public let meaning: String
    /// How many it takes.
    public let count: ClosedRange<Int>
    private let read: @Sendable ([String]) -> Value

    init(_ name: String, _ meaning: String, count: ClosedRange<Int>, read: @escaping @Sendable ([String]) -> Value) {
        self.name = name
        self.meaning = meaning
        self.count = count
        self.read = read
    }

    public func value(of texts: [String]) throws(Mismatch) -> Value {
        guard count.contains(texts.count) else { throw Mismatch("expected \(name), found nothing") }
        return read(texts)
    }
}

/// An argument of any type, as the parser and the help see it.
public protocol ArgumentDeclaration: Parameter {
    var count: ClosedRange<Int> { get }
}

extension Argument: ArgumentDeclaration {}

extension Argument where Value == String {
    /// One that must be there.
    public static func required(_ name: String, _ meaning: String) -> Argument {
        // `count` is 1 to 1, so that there is a first.
        Argument(name, meaning, count: 1...1) { texts in texts[0] }
    }
}

extension Argument where Value == String? {
    /// One that may be left out; nil then.
    public static func optional(_ name: String, _ meaning: String) -> Argument {
        Argument(name, meaning, count: 0...1) { texts in texts.first }
    }
}

extension Argument where Value == [String] {
    /// All that follow.
    public static func rest(_ name: String, _ meaning: String) -> Argument {
        Argument(name, meaning, count: 0...Int.max) { texts in texts }
    }
}
