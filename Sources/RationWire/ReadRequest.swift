internal import RationJSON
internal import RationModel

/// `read`: a page of the event log from a position on (wire.md, "Reading the log").
public struct ReadRequest: Sendable, Hashable {
    /// The log that the position belongs to; nil: whichever the broker has.
    public var log: String?
    /// The last sequence number that the reader has.
    public var after: UInt64 = 0
    public var filter = EventFilter()
    /// Events of one answer.
    public var most = 1000
    /// Bytes of one answer; at least one event is given.
    public var mostBytes = 1024 * 1024
    /// How long to wait for an event when there is none yet.
    public var waitMilliseconds = 0

    public static let mostLimit = 1...10_000
    public static let mostBytesLimit = 1...4 * 1024 * 1024
    public static let waitLimit = 0...60_000

    public init() {}

    /// The body of a request.
    public var body: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        var members = MemberWriter()
        if let log { members.text("log", log, to: &writer) }
        members.integer("after", Int64(truncatingIfNeeded: after), to: &writer)
        let lists: [(StaticString, [String])] = [
            ("kinds", filter.kinds.map { "\($0.name)" }), ("types", filter.types), ("apps", filter.apps),
            ("devices", filter.devices),
        ]
        for (name, list) in lists where !list.isEmpty {
            members.name(name, to: &writer)
            var separator = UInt8(ascii: "[")
            for text in list {
                writer.byte(separator)
                writer.string(text)
                separator = UInt8(ascii: ",")
            }
            writer.byte(UInt8(ascii: "]"))
        }
        members.integer("most", Int64(most), to: &writer)
        members.integer("mostBytes", Int64(mostBytes), to: &writer)
        members.integer("waitMs", Int64(waitMilliseconds), to: &writer)
        members.end(&writer)
        return writer.bytes
    }
}

/// The answer to a `read`: the first frame of its body, and the events that follow it.
public struct ReadAnswer: Sendable, Hashable {
    public var log: String
    /// The oldest position kept.
    public var first: UInt64
    /// The newest position.
    public var last: UInt64
    /// Where to go on: past what the filter left out, too.
    public var next: UInt64

    public init(log: String, first: UInt64, last: UInt64, next: UInt64) {
        self.log = log
        self.first = first
        self.last = last
        self.next = next
    }

    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        first = try answer.unsigned("first")
        last = try answer.unsigned("last")
        next = try answer.unsigned("next")
    }

    /// The body of an answer's first frame.
    public var body: [UInt8] {
        var writer = JSONWriter(capacity: 128)
        var members = MemberWriter()
        members.text("log", log, to: &writer)
        members.integer("first", Int64(truncatingIfNeeded: first), to: &writer)
        members.integer("last", Int64(truncatingIfNeeded: last), to: &writer)
        members.integer("next", Int64(truncatingIfNeeded: next), to: &writer)
        members.end(&writer)
        return writer.bytes
    }
}
