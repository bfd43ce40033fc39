internal import RationJSON
public import RationModel

/// `log`: what of the event log is kept, and where in it a time is (wire.md, "Reading the log").
public struct LogRequest: Sendable, Hashable {
    /// The time whose position is asked for; nil: none.
    public var at: Instant?

    public init(at: Instant? = nil) {
        self.at = at
    }

    /// The body of a request.
    public var body: [UInt8] { ObjectText.bytes { $0.texts(("at", at?.rfc3339 ?? "")) } }
}

/// The answer to a `log`.
public struct LogAnswer: Sendable, Hashable {
    public var log: String
    /// The oldest position kept; one more than `last` when none is.
    public var first: UInt64
    /// The newest position; 0 before the first event.
    public var last: UInt64
    /// Of the rows that are kept.
    public var bytes: UInt64
    /// The times of the oldest and of the newest event kept; nil when none is.
    public var oldest: Instant?
    public var newest: Instant?
    public var retentionBytes: UInt64
    /// nil: events are kept as long as there is room for them.
    public var retentionMilliseconds: Int64?
    /// The last position before the time that was asked for; nil when none was.
    public var after: UInt64?

    public init(
        log: String, first: UInt64, last: UInt64, bytes: UInt64, oldest: Instant?, newest: Instant?,
        retentionBytes: UInt64, retentionMilliseconds: Int64?, after: UInt64?
    ) {
        (self.log, self.first, self.last, self.bytes) = (log, first, last, bytes)
        (self.oldest, self.newest) = (oldest, newest)
        (self.retentionBytes, self.retentionMilliseconds) = (retentionBytes, retentionMilliseconds)
        self.after = after
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        first = try answer.unsigned("first")
        last = try answer.unsigned("last")
        bytes = try answer.unsigned("bytes")
        oldest = try answer.optionalInstant("oldest")
        newest = try answer.optionalInstant("newest")
        retentionBytes = try answer.unsigned("retentionBytes")
        retentionMilliseconds = try answer.optionalUnsigned("retentionMs").map { Int64(clamping: $0) }
        after = try answer.optionalUnsigned("after")
    }

    /// The body of an answer.
    public var body: [UInt8] {
        func integer(_ number: UInt64) -> Int { Int(truncatingIfNeeded: number) }
        return ObjectText.bytes { object in
            object.text("log", log)
            object.integers(("first", integer(first)), ("last", integer(last)), ("bytes", integer(bytes)))
            object.texts(("oldest", oldest?.rfc3339 ?? ""), ("newest", newest?.rfc3339 ?? ""))
            object.integers(("retentionBytes", integer(retentionBytes)))
            if let retentionMilliseconds { object.integers(("retentionMs", Int(retentionMilliseconds))) }
            if let after { object.integers(("after", integer(after))) }
        }
    }
}
