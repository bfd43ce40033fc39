internal import RationJSON
import RationModel

/// An answer of the broker that is not what wire.md says: a client cannot go on with it.
public struct AnswerFault: Error, Hashable, Sendable {
    public var message: String

    public init(_ message: String) {
        self.message = message
    }
}

/// The object in an answer's body, for clients' cold paths. Values are looked at inside the reader's methods only, since
/// they live no longer than its parser.
final class AnswerReader {
    private var parser = JSONParser(maximumDepth: 64, maximumValues: 1_000_000)
    private let value: JSONValue

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

    /// nil when it is absent or no string.
    func optionalText(_ name: StaticString) -> String? { value[name]?.text }

    /// nil when it is absent or `null`.
    func optionalUnsigned(_ name: StaticString) throws(AnswerFault) -> UInt64? {
        guard let member = value[name], !member.isNull else { return nil }
        return try unsigned(name)
    }

    /// What `read` makes of each element of a list; none when it is absent.
    func elements<Element>(_ name: StaticString, _ read: (JSONValue) -> Element) -> [Element] {
        value[name]?.children.map(read) ?? []
    }

    func unsigned(_ name: StaticString) throws(AnswerFault) -> UInt64 {
        guard let number = value[name]?.integer, number >= 0 else { throw missing(name, "a whole number") }
        return UInt64(number)
    }

    /// nil when it is absent or `null`.
    func optionalInstant(_ name: StaticString) throws(AnswerFault) -> Instant? {
        guard let member = value[name], !member.isNull else { return nil }
        return try instant(name)
    }

    func instant(_ name: StaticString) throws(AnswerFault) -> Instant {
        guard let instant = value[name]?.instant else { throw missing(name, "a date") }
        return instant
    }
}
