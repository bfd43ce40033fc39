internal import RationJSON

/// `snapshot`: a page of all recipients' plans (wire.md, "Other queries").
public struct SnapshotRequest: Sendable, Hashable {
    /// What the page before gave as `next`; empty for the first page.
    public var after = ""
    /// Recipients of one answer.
    public var most = 256
    /// Bytes of one answer; at least one plan is given if there is one.
    public var mostBytes = 1024 * 1024

    public static let mostLimit = 1...1_000
    public static let mostBytesLimit = 1...4 * 1024 * 1024

    public init() {}

    /// The body of a request.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.texts(("after", after))
            object.integers(("most", most), ("mostBytes", mostBytes))
        }
    }
}

/// The answer to a `snapshot`: the first frame of its body, and the plans that follow it.
public struct SnapshotAnswer: Sendable, Hashable {
    public var log: String
    /// The last event that the page's plans have seen.
    public var sequence: UInt64
    /// Recipients that there are, those without a plan included.
    public var recipients: UInt64
    /// Where to go on; empty when this page was the last.
    public var next: String

    public init(log: String, sequence: UInt64, recipients: UInt64, next: String) {
        (self.log, self.sequence, self.recipients, self.next) = (log, sequence, recipients, next)
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        sequence = try answer.unsigned("sequence")
        recipients = try answer.unsigned("recipients")
        next = try answer.text("next")
    }

    /// The body of an answer's first frame.
    public var body: [UInt8] {
        ObjectText.bytes { object in
            object.text("log", log)
            object.integers(
                ("sequence", Int(truncatingIfNeeded: sequence)), ("recipients", Int(truncatingIfNeeded: recipients)))
            object.text("next", next)
        }
    }
}
