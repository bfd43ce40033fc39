/// Why a JSON text was refused, and where.
///
/// A retry with the same text fails the same way, but for `outOfMemory`.
public struct JSONError: Error, Sendable, Hashable {
    /// What is wrong. The codes follow the rule `json` of the planning contract, section 6.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no value at all.
        case empty
        /// The text breaks JSON's grammar (RFC 8259).
        case malformed
        /// Something other than white space follows the value.
        case trailingContent
        case invalidUTF8
        /// An escaped surrogate without its other half.
        case loneSurrogate
        /// A key stands twice in one object.
        case duplicateKey
        case tooDeep
        case tooManyValues
        /// A number that is no finite double, or an integer beyond signed 64 bits.
        case numberRange
        /// The text is 2 GiB or longer.
        case tooLarge
        case outOfMemory
    }

    public let code: Code

    /// Where the fault begins, in bytes from the beginning of the text, if it has a place.
    public let offset: Int?

    /// One sentence for people, with the limit and the value.
    public let message: String

    public init(code: Code, offset: Int?, message: String) {
        self.code = code
        self.offset = offset
        self.message = message
    }
}

extension JSONError: CustomStringConvertible {
    public var description: String {
        offset.map { "\(message) (\(code.rawValue), byte \($0))" } ?? "\(message) (\(code.rawValue))"
    }
}
