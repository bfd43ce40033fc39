internal import RationJSON
import RationModel

/// `hello`: what a client learns before it publishes (wire.md).
public struct Hello: Sendable, Hashable {
    /// The event log's name.
    public var log: String
    /// The publisher's last committed number; nil: unknown, start anew.
    public var last: UInt64?
    /// How many requests may be unacknowledged.
    public var window: Int
    /// The broker's name and version.
    public var server: String

    public init(log: String, last: UInt64?, window: Int, server: String) {
        self.log = log
        self.last = last
        self.window = window
        self.server = server
    }

    /// Reads the body of an answer.
    public init(body: UnsafeRawBufferPointer) throws(AnswerFault) {
        let answer = try AnswerReader(body)
        log = try answer.text("log")
        window = Int(try answer.unsigned("window"))
        server = answer.optionalText("server") ?? ""
        last = try answer.optionalUnsigned("last")
    }

    /// The body of an answer.
    public var body: [UInt8] {
        var writer = JSONWriter(capacity: 256)
        writer.raw(#"{"versions":[1],"log":"#)
        writer.string(log)
        writer.raw(#","limits":{"lines":"#)
        writer.integer(Int64(Limits.requestLines))
        writer.raw(#","bytes":"#)
        writer.integer(Int64(Limits.requestBytes))
        writer.raw(#"},"last":"#)
        if let last { writer.integer(Int64(truncatingIfNeeded: last)) } else { writer.null() }
        writer.raw(#","window":"#)
        writer.integer(Int64(window))
        writer.raw(#","server":"#)
        writer.string(server)
        writer.byte(UInt8(ascii: "}"))
        return writer.bytes
    }

    /// The body of a request.
    public static func request(publisher: String) -> [UInt8] {
        var writer = JSONWriter(capacity: 64)
        writer.raw(#"{"publisher":"#)
        writer.string(publisher)
        writer.byte(UInt8(ascii: "}"))
        return writer.bytes
    }
}
