internal import RationModel

/// Why a ``PublishingClient`` cannot go on, or did not take a request.
public struct PublishingError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: String, Hashable, Sendable {
        /// The publisher's name is longer than 64 bytes.
        case publisher
        /// The body is longer than a request may be; nothing was stored or sent.
        case tooLarge
        /// The window stayed full for the time given; nothing was stored or sent.
        case timedOut
        /// The broker has other bytes under a number: two clients use the name, or the outbox is an old copy.
        case numberReused
        /// The broker lacks requests that it has acknowledged: its data are older than the outbox.
        case outboxAhead
        /// The broker has later requests than the outbox has numbered.
        case outboxBehind
        /// The broker does not greet this client: another version of the protocol, or it is not allowed.
        case refused
        /// An answer is not what wire.md says.
        case answer
    }

    public var code: Code
    /// One sentence for people, with the numbers.
    public var message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether the same call may succeed later without any change.
    public var isRetryable: Bool { code == .timedOut }

    public var description: String { message }
}
