/// What became of one line of a request: its letter in an acknowledgement (wire.md, "Publishing intents").
public enum Outcome: UInt8, CaseIterable, Sendable {
    case held = 0x68  // h
    case queued = 0x71  // q
    case unchanged = 0x75  // u
    case cancelled = 0x63  // c
    case notFound = 0x6E  // n
    case done = 0x6F  // o
    case expired = 0x78  // x
    case evicted = 0x65  // e
    case rejected = 0x72  // r

    /// The name of its count in an acknowledgement.
    public var name: StaticString {
        switch self {
        case .held: "held"
        case .queued: "queued"
        case .unchanged: "unchanged"
        case .cancelled: "cancelled"
        case .notFound: "notFound"
        case .done: "done"
        case .expired: "expired"
        case .evicted: "evicted"
        case .rejected: "rejected"
        }
    }
}
