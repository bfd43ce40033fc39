/// The name under which a service publishes: 1 to 64 bytes of UTF-8, told apart by its bytes (Swift's `String` would take
/// two spellings that Unicode calls equivalent for one). Empty for a publisher that does without duplicate detection.
public struct PublisherName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let bytes: [UInt8]

    public init(_ text: String) {
        bytes = Array(text.utf8)
    }

    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// - Returns: nil for bytes that are no name: too many, no UTF-8, control characters or spaces at the ends.
    public init?(_ bytes: UnsafeRawBufferPointer) {
        if !bytes.isEmpty {
            guard Name.isText(bytes, limit: Limits.publisherBytes, slashAllowed: true),
                String(validating: bytes, as: UTF8.self) != nil
            else { return nil }
        }
        self.bytes = Array(bytes)
    }

    public var isEmpty: Bool { bytes.isEmpty }

    public var description: String { String(decoding: bytes, as: UTF8.self) }
}
