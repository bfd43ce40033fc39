/// What ends a subscriber for good: a retry does not help.
public struct SubscriberError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Code: Hashable, Sendable {
        /// The position lies past the end of the log that it belongs to: the broker's data are older than their name says.
        case pastEnd
        /// Another process runs this subscriber.
        case running
        /// A file that cannot be used.
        case file
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }

    public var description: String { message }
}
