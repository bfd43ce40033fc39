internal import RationJSON
internal import RationModel

/// Renders events as CloudEvents 1.0 in structured JSON (wire.md, "Events"), byte by byte.
public struct EventWriter: Sendable {
    private let log: String

    /// - Parameter log: the event log's name, which is part of every event's source.
    public init(log: String) {
        self.log = log
    }

    /// Appends one event, without a line's end.
    public func write(_ event: EventEntry, to bytes: inout [UInt8]) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        writer.raw(#"{"specversion":"1.0","id":""#)
        Self.writeSequence(event.sequence, to: &writer)
        writer.raw(#"","source":"/ration/"#)
        writer.bytes.append(contentsOf: log.utf8)
        writer.raw(#"","type":"ration.notification."#)
        writer.raw(event.kind.name)
        writer.raw(#".v1","subject":"#)
        writeSubject(event, to: &writer)
        writer.raw(#","time":"#)
        writer.instant(event.time)
        writer.raw(#","datacontenttype":"application/json","sequence":""#)
        Self.writeSequence(event.sequence, to: &writer)
        writer.raw(#"","data":"#)
        writeData(event, to: &writer)
        writer.byte(UInt8(ascii: "}"))
        swap(&writer.bytes, &bytes)
    }

    private func writeSubject(_ event: EventEntry, to writer: inout JSONWriter) {
        // The parts are written as strings of their own, then their inner quotes become slashes: app/device/id.
        writer.string(event.app)
        writer.bytes[writer.bytes.count - 1] = UInt8(ascii: "/")
        for part in [event.device, event.id] {
            let quote = writer.bytes.count
            writer.string(part)
            writer.bytes.remove(at: quote)
            writer.bytes[writer.bytes.count - 1] = UInt8(ascii: "/")
        }
        writer.bytes[writer.bytes.count - 1] = UInt8(ascii: "\"")
    }

    private func writeData(_ event: EventEntry, to writer: inout JSONWriter) {
        writer.raw(#"{"kind":""#)
        writer.raw(event.kind.name)
        writer.raw(#"","app":"#)
        writer.string(event.app)
        writer.raw(#","device":"#)
        writer.string(event.device)
        writer.raw(#","id":"#)
        writer.string(event.id)
        if event.kind.isFeedback { writeFeedback(event, to: &writer) } else { writePlan(event, to: &writer) }
        writer.raw(#","batch":"#)
        writer.integer(Int64(truncatingIfNeeded: event.batch))
        writer.byte(UInt8(ascii: "}"))
    }

    private func writePlan(_ event: EventEntry, to writer: inout JSONWriter) {
        writer.raw(#","type":"#)
        writer.string(event.type)
        writer.raw(#","priority":"#)
        writer.integer(Int64(event.priority))
        writer.raw(#","fireDate":"#)
        writer.instant(event.fireDate)
        writer.raw(#","requestedDate":"#)
        writer.instant(event.requestedDate)
        writeWhy(event, to: &writer)
        if event.kind == .due { writeDelivery(event, to: &writer) }
    }

    private func writeFeedback(_ event: EventEntry, to writer: inout JSONWriter) {
        if !event.action.isEmpty {
            writer.raw(#","action":"#)
            writer.string(event.action)
        }
        if !event.failure.isEmpty {
            writer.raw(#","reason":"#)
            writer.string(event.failure)
        }
        if let length = event.textLength {
            writer.raw(#","textLength":"#)
            writer.integer(Int64(length))
        }
    }

    private func writeWhy(_ event: EventEntry, to writer: inout JSONWriter) {
        if event.cause != .none {
            writer.raw(#","cause":""#)
            writer.raw(event.cause.name)
            writer.byte(UInt8(ascii: "\""))
        }
        if event.reason != .none {
            writer.raw(#","reason":""#)
            writer.raw(event.reason.name)
            writer.byte(UInt8(ascii: "\""))
        }
        if let isFinal = event.isFinal {
            writer.raw(isFinal ? #","final":true"# : #","final":false"#)
        }
    }

    private func writeDelivery(_ event: EventEntry, to writer: inout JSONWriter) {
        writer.raw(#","content":"#)
        writer.raw(event.content)
        writer.raw(#","delivery":""#)
        writer.raw(event.delivery.name)
        writer.raw(#"","validUntil":"#)
        writer.instant(event.validUntil)
    }

    /// Appends `kind/type/app`, cut to what libzmq can carry; a type that the policy does not name is `unknown`.
    public static func writeTopic(_ event: EventEntry, to bytes: inout [UInt8]) {
        let start = bytes.count
        func append(_ text: StaticString) {
            bytes.append(contentsOf: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
        }
        append(event.kind.name)
        append("/")
        if event.isTypeNamed { bytes.append(contentsOf: event.type) } else { append("unknown") }
        append("/")
        bytes.append(contentsOf: event.app)
        if bytes.count - start > Frame.topicBytes { bytes.removeLast(bytes.count - start - Frame.topicBytes) }
    }

    private static func writeSequence(_ sequence: UInt64, to writer: inout JSONWriter) {
        writeSequence(sequence, to: &writer.bytes)
    }

    /// Appends a sequence number in its 20 digits.
    public static func writeSequence(_ sequence: UInt64, to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(byteCount: Frame.sequenceDigits, alignment: 1) { digits in
            var rest = sequence
            for index in digits.indices.reversed() {
                digits[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
                rest /= 10
            }
            bytes.append(contentsOf: UnsafeRawBufferPointer(digits))
        }
    }
}

extension JSONWriter {
    /// A quoted RFC 3339 date.
    mutating func instant(_ instant: Instant) {
        withUnsafeTemporaryAllocation(byteCount: Instant.writtenLength + 2, alignment: 1) { text in
            // The text has room for the date and two quotes.
            guard let base = text.baseAddress else { return }
            text[0] = UInt8(ascii: "\"")
            instant.write(to: base + 1)
            text[Instant.writtenLength + 1] = UInt8(ascii: "\"")
            raw(UnsafeRawBufferPointer(text))
        }
    }
}
