internal import RationJSON
public import RationModel

/// What a sender of pushes needs of a notification's content.
public struct PushContent: Hashable, Sendable {
    public var kind: PushKind
    public var level: InterruptionLevel
    /// Of a broadcast.
    public var channel: String
    /// The APNs payload: UTF-8 JSON of at most `Limits.payloadBytes`.
    public var payload: [UInt8]
}

/// Reads contents as events carry them, one after another in memory that it keeps.
public struct PushContentReader: ~Copyable {
    private var parser = JSONParser()
    private var writer = JSONWriter()

    public init() {}

    /// - Parameters:
    ///   - content: JSON, as an intent's `content`.
    ///   - time: when it is sent, which a live activity is told.
    /// - Throws: the ``Rejection`` that an intent with this content gets.
    public mutating func read(_ content: [UInt8], at time: Instant) throws(Rejection) -> PushContent {
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(content)
        } catch {
            throw Rejection(.json, field: "content", error.message)
        }
        let fields = try ContentFields(value)
        let level = try fields.check()
        try fields.checkPayload(level, lineBytes: Limits.payloadBytes, in: &writer)
        writer.bytes.removeAll(keepingCapacity: true)
        fields.writePayload(level, at: time, to: &writer)
        let channel = fields.channel.map { String(decoding: $0, as: UTF8.self) } ?? ""
        return PushContent(kind: fields.knownKind, level: level, channel: channel, payload: writer.bytes)
    }
}
