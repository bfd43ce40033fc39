public import RationWire

/// What became of one request of a ``PublishingClient``.
public enum PublishingAnswer: Hashable, Sendable {
    /// It was decided and committed.
    case acknowledgement(CommittedRequest)
    /// It was committed some time ago; what was decided is no longer kept.
    case alreadyCommitted(number: UInt64)
    /// It was refused as a whole, for good.
    case refusal(number: UInt64, RequestFault)
    /// Only without a publisher's name: the connection ended, or no answer came in time. It may have been committed.
    case unknown(number: UInt64)

    /// As ``PublishingClient/submit(_:timeoutMilliseconds:)`` has returned it.
    public var number: UInt64 {
        switch self {
        case .acknowledgement(let request): request.number
        case .alreadyCommitted(let number), .refusal(let number, _), .unknown(let number): number
        }
    }
}

/// A request that was committed, with the broker's words about it.
public struct CommittedRequest: Hashable, Sendable {
    public var number: UInt64
    /// The acknowledgement's body: one JSON object, one line.
    public var body: [UInt8]

    public init(number: UInt64, body: [UInt8]) {
        self.number = number
        self.body = body
    }

    /// Reads the body.
    /// - Throws: `AnswerFault` if it is not an acknowledgement.
    /// - Complexity: linear in the number of bytes.
    public func acknowledgement() throws(AnswerFault) -> Acknowledgement {
        try body.withUnsafeBufferPointer { (bytes) throws(AnswerFault) in
            try Acknowledgement(number: number, body: UnsafeRawBufferPointer(bytes))
        }
    }
}
