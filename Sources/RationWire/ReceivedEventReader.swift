internal import RationJSON
public import RationModel

/// Bytes that are not one of the broker's events: what is wrong with them.
public struct EventFault: Error, Hashable, Sendable, CustomStringConvertible {
    public var message: String

    public init(_ message: String) {
        self.message = message
    }

    public var description: String { message }
}

/// Reads events of the broker, CloudEvents 1.0 in structured JSON (wire.md, "Events"), one after another in memory that
/// it keeps. Fields that are not in wire.md are left alone, since later versions may add some.
public struct ReceivedEventReader: ~Copyable {
    // An event holds an intent's content, which may be as deep and as large as an intent, one level further in.
    private var parser = JSONParser(maximumDepth: 64, maximumValues: 20_000)
    private var writer = JSONWriter()

    public init() {}

    /// - Parameters:
    ///   - bytes: one event, without a line's end.
    ///   - isPadded: whether 64 bytes after the end may be read.
    /// - Throws: ``EventFault`` for the first field that is missing or is not what wire.md says.
    public mutating func read(_ bytes: UnsafeRawBufferPointer, isPadded: Bool = false) throws(EventFault)
        -> ReceivedEvent
    {
        let value: JSONValue
        do throws(JSONError) {
            value = try parser.parse(bytes, isPadded: isPadded)
        } catch {
            throw EventFault("the event is not JSON: \(error.message)")
        }
        guard value.kind == .object else { throw EventFault("expected an object, found \(value.kindName)") }
        var members = EventMembers()
        members.find(in: value)
        guard let data = members.data, data.kind == .object else { throw EventFault("expected an object as 'data'") }
        members.find(inData: data)
        let kind = try members.kind()
        if kind.isFeedback { return try Self.feedback(kind, members) }
        var event = ReceivedEvent(
            sequence: try members.number20(), time: try members.instant(members.time, "time"), kind: kind,
            app: try members.text(members.app, "data.app"), device: try members.text(members.device, "data.device"),
            id: try members.text(members.id, "data.id"), type: try members.text(members.type, "data.type"),
            priority: try members.priorityNumber(), fireDate: try members.instant(members.fireDate, "data.fireDate"),
            requestedDate: try members.instant(members.requestedDate, "data.requestedDate"),
            batch: try members.batchNumber())
        event.cause = try members.causeWord()
        event.reason = try members.reasonWord()
        event.isFinal = try members.finalTruth()
        if event.kind == .due { try readDelivery(members, into: &event) }
        return event
    }

    private static func feedback(_ kind: EventKind, _ members: EventMembers) throws(EventFault) -> ReceivedEvent {
        var event = ReceivedEvent(
            sequence: try members.number20(), time: try members.instant(members.time, "time"), feedback: kind,
            app: try members.text(members.app, "data.app"), device: try members.text(members.device, "data.device"),
            id: try members.text(members.id, "data.id"), batch: try members.batchNumber())
        if members.action != nil { event.action = try members.text(members.action, "data.action") }
        if members.reason != nil { event.failure = try members.text(members.reason, "data.reason") }
        event.textLength = try members.textLengthNumber()
        return event
    }

    private mutating func readDelivery(_ members: EventMembers, into event: inout ReceivedEvent) throws(EventFault) {
        event.delivery = try members.deliveryWord()
        event.validUntil = try members.instant(members.validUntil, "data.validUntil")
        guard let content = members.content, content.kind == .object else {
            throw EventFault("expected an object as 'data.content'")
        }
        writer.bytes.removeAll(keepingCapacity: true)
        content.canonical(into: &writer)
        event.content = writer.bytes
    }
}
