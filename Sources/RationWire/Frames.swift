/// The words of wire.md's frames, each said once.
public enum Frame {
    /// What every first frame of the protocol starts with.
    public static let protocolPrefix: StaticString = "ration/"
    /// The version and the space before a request's name.
    public static let versionPrefix: StaticString = "ration/1 "
    public static let acknowledgement: StaticString = "ration/1 ack"
    public static let error: StaticString = "ration/1 error"
    /// The topic of the frames that tell once a second how far the log is.
    public static let heartbeatTopic: StaticString = "heartbeat"
    /// Digits of a sequence number.
    public static let sequenceDigits = 20
    /// libzmq 4.3.4 breaks longer topics of XPUB.
    public static let topicBytes = 245
}

/// The requests of wire.md, by name.
public enum RequestName: String, CaseIterable, Sendable {
    case hello, publish, read, log, plan, snapshot, explain, status, policy, clock, backup, stop, devices, forget
    case holding

    /// The whole first frame.
    public var frame: String { "ration/1 \(rawValue)" }

    /// Whether it is answered on the admin endpoint only.
    public var isForAdministrators: Bool {
        switch self {
        case .policy, .clock, .backup, .stop, .devices, .forget, .holding: true
        case .hello, .publish, .read, .log, .plan, .snapshot, .explain, .status: false
        }
    }
}

/// A request that is refused as a whole: the answer is `ration/1 error` with this as its body.
public struct RequestFault: Error, Hashable, Sendable {
    public enum Code: String, CaseIterable, Sendable {
        case malformed, tooLarge, version, unknown, forbidden, busy, full, stopping
        case numberReused, alreadyCommitted, outOfOrder, cursorAhead, damaged, poison, invalidPolicy, backupFailed
        case forgetFailed
    }

    public var code: Code
    public var message: String
    /// The number that is expected next; told with `outOfOrder`.
    public var expected: UInt64?
    /// All faults of the document; told with `invalidPolicy`.
    public var faults: [DocumentProblem] = []

    public init(_ code: Code, _ message: String, expected: UInt64? = nil, faults: [DocumentProblem] = []) {
        self.code = code
        self.message = message
        self.expected = expected
        self.faults = faults
    }

    /// Whether the same request may be sent again: it used up no number.
    public var isTemporary: Bool {
        switch code {
        case .busy, .full, .stopping: true
        default: false
        }
    }
}
