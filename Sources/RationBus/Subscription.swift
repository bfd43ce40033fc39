/// What a subscriber has told an XPUB: one message that the XPUB's owner receives.
public struct Subscription: Equatable, Sendable {
    /// Whether it begins; otherwise it ends.
    public let isActive: Bool
    /// What the first frame of a message has to start with; empty for every message.
    public let prefix: [UInt8]

    /// - Parameter frame: the only frame of the message that an XPUB received.
    /// - Returns: `nil` for what is no subscription: a subscriber may send anything.
    public init?(_ frame: UnsafeRawBufferPointer) {
        guard let first = frame.first, first <= 1 else { return nil }
        isActive = first == 1
        prefix = [UInt8](frame.dropFirst())
    }
}
