internal import RationJSON
import RationModel

/// An answer of the broker that is not what wire.md says: a client cannot go on with it.
public struct AnswerFault: Error, Hashable, Sendable {
    public var message: String

    public init(_ message: String) {
        self.message = message
    }
}

/// The object in an answer's body, for clients' cold paths. The parser lives as long as the reader.
final class AnswerReader {
    private var parser = JSONParser(maximumDepth: 64, maximumValues: 1_000_000)
    private(set) var value: JSONValue

    init(_ body: UnsafeRawBufferPointer) throws(AnswerFault) {
        do throws(JSONError) {
            value = try parser.parse(body, isPadded: false)
        } catch {
            throw AnswerFault("the answer's body is not JSON: \(error.message)")
        }
        guard value.kind == .object else {
            throw AnswerFault("the answer's body is \(value.kindName), expected an object")
        }
    }

    private func missing(_ name: StaticString, _ expected: String) -> AnswerFault {
        AnswerFault("the answer's field '\(name)' is not \(expected)")
    }

    func text(_ name: StaticString) throws(AnswerFault) -> String {
        guard let text = value[name]?.text else { throw missing(name, "a string") }
        return text
    }

    func unsigned(_ name: StaticString) throws(AnswerFault) -> UInt64 {
        guard let number = value[name]?.integer, number >= 0 else { throw missing(name, "a whole number") }
        return UInt64(number)
    }

    func instant(_ name: StaticString) throws(AnswerFault) -> Instant {
        guard let instant = value[name]?.instant else { throw missing(name, "a date") }
        return instant
    }
}
