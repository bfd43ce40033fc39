public import RationWire

/// A query without an answer, or with one that is an error.
public struct QueryError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The broker did not answer in the time given.
        case noAnswer
        /// The broker refuses the query.
        case refused(RequestFault)
        /// The answer is not what wire.md says.
        case answer
    }

    public var code: Code
    /// The broker's endpoint.
    public var endpoint: String
    public var message: String

    init(_ code: Code, _ endpoint: String, _ message: String) {
        self.code = code
        self.endpoint = endpoint
        self.message = message
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool {
        switch code {
        case .noAnswer: true
        case .refused(let fault): fault.isTemporary
        case .answer: false
        }
    }

    public var description: String { "\(endpoint): \(message)" }
}
