internal import RationJSON
internal import RationModel

/// Renders events as CloudEvents 1.0 in structured JSON (wire.md, "Events"), byte by byte.
public struct EventWriter: Sendable {
    private let log: [UInt8]

    /// - Parameter log: the event log's name, which is part of every event's source.
    public init(log: String) {
        self.log = Array(log.utf8)
    }

    /// Appends one event, without a line's end.
    public func write(_ event: EventEntry, to bytes: inout [UInt8]) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        if event.hasPlainNames {
            write(event, to: &writer)
        } else {
            event.withEscapedNames { write($0, to: &writer) }
        }
        swap(&writer.bytes, &bytes)
    }

    /// More than what is the same in every event, its dates, numbers and words.
    private static let fixedBytes = 1_024

    /// - Parameter event: its names stand as they are between quotes.
    private func write(_ event: EventEntry, to writer: inout JSONWriter) {
        let names = 2 * (event.app.count + event.device.count + event.id.count) + event.type.count
        let texts = log.count + event.content.count + event.action.count + event.failure.count
        writer.write(atMost: Self.fixedBytes + names + texts) { writer in
            writer.raw(#"{"specversion":"1.0","id":""#)
            writer.digits(event.sequence, count: Frame.sequenceDigits)
            writer.raw(#"","source":"/ration/"#)
            log.withUnsafeBytes { writer.raw($0) }
            writer.raw(#"","type":"ration.notification."#)
            writer.raw(event.kind.name)
            writer.raw(#".v1","subject":""#)
            writer.raw(event.app)
            writer.raw("/")
            writer.raw(event.device)
            writer.raw("/")
            writer.raw(event.id)
            writer.raw(#"","time":"#)
            writer.instant(event.time)
            writer.raw(#","datacontenttype":"application/json","sequence":""#)
            writer.digits(event.sequence, count: Frame.sequenceDigits)
            writer.raw(#"","data":"#)
            Self.writeData(event, to: &writer)
            writer.raw("}")
        }
    }

    private static func writeData(_ event: EventEntry, to writer: inout JSONCursor) {
        writer.raw(#"{"kind":""#)
        writer.raw(event.kind.name)
        writer.raw(#"","app":""#)
        writer.raw(event.app)
        writer.raw(#"","device":""#)
        writer.raw(event.device)
        writer.raw(#"","id":""#)
        writer.raw(event.id)
        writer.raw(#"""#)
        if event.kind.isFeedback { writeFeedback(event, to: &writer) } else { writePlan(event, to: &writer) }
        writer.raw(#","batch":"#)
        writer.integer(Int64(truncatingIfNeeded: event.batch))
        writer.raw("}")
    }

    private static func writePlan(_ event: EventEntry, to writer: inout JSONCursor) {
        writer.raw(#","type":""#)
        writer.raw(event.type)
        writer.raw(#"","priority":"#)
        writer.integer(Int64(event.priority))
        writer.raw(#","fireDate":"#)
        writer.instant(event.fireDate)
        writer.raw(#","requestedDate":"#)
        writer.instant(event.requestedDate)
        writeWhy(event, to: &writer)
        if event.kind == .due { writeDelivery(event, to: &writer) }
    }

    private static func writeFeedback(_ event: EventEntry, to writer: inout JSONCursor) {
        if !event.action.isEmpty {
            writer.raw(#","action":""#)
            writer.raw(event.action)
            writer.raw(#"""#)
        }
        if !event.failure.isEmpty {
            writer.raw(#","reason":""#)
            writer.raw(event.failure)
            writer.raw(#"""#)
        }
        if let length = event.textLength {
            writer.raw(#","textLength":"#)
            writer.integer(Int64(length))
        }
    }

    private static func writeWhy(_ event: EventEntry, to writer: inout JSONCursor) {
        if event.cause != .none {
            writer.raw(#","cause":""#)
            writer.raw(event.cause.name)
            writer.raw(#"""#)
        }
        if event.reason != .none {
            writer.raw(#","reason":""#)
            writer.raw(event.reason.name)
            writer.raw(#"""#)
        }
        if let isFinal = event.isFinal {
            if isFinal { writer.raw(#","final":true"#) } else { writer.raw(#","final":false"#) }
        }
    }

    private static func writeDelivery(_ event: EventEntry, to writer: inout JSONCursor) {
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

    /// Appends a sequence number in its 20 digits.
    public static func writeSequence(_ sequence: UInt64, to bytes: inout [UInt8]) {
        var writer = JSONWriter()
        swap(&writer.bytes, &bytes)
        writer.write(atMost: Frame.sequenceDigits) { $0.digits(sequence, count: Frame.sequenceDigits) }
        swap(&writer.bytes, &bytes)
    }
}

extension EventEntry {
    /// Whether no name needs an escape: none but ids and devices of the odd can.
    fileprivate var hasPlainNames: Bool {
        JSONWriter.isPlain(id) && JSONWriter.isPlain(device) && JSONWriter.isPlain(type) && JSONWriter.isPlain(app)
            && JSONWriter.isPlain(action) && JSONWriter.isPlain(failure)
    }

    /// Lends the same event with its names as they stand between quotes.
    fileprivate func withEscapedNames(_ body: (EventEntry) -> Void) {
        let names: [WritableKeyPath<EventEntry, UnsafeRawBufferPointer>] = [
            \.app, \.device, \.id, \.type, \.action, \.failure,
        ]
        var writer = JSONWriter()
        var ends = [0]
        for name in names {
            writer.string(self[keyPath: name])
            ends.append(writer.bytes.count)
        }
        writer.bytes.withUnsafeBytes { bytes in
            var escaped = self
            for (place, name) in names.enumerated() {
                // Without the quotes.
                escaped[keyPath: name] = UnsafeRawBufferPointer(rebasing: bytes[ends[place] + 1..<ends[place + 1] - 1])
            }
            body(escaped)
        }
    }
}

extension JSONCursor {
    /// A quoted RFC 3339 date.
    @inline(__always)
    fileprivate mutating func instant(_ instant: Instant) {
        raw(#"""#)
        // As many bytes as an instant has.
        write(Instant.writtenLength) { instant.write(to: $0) }
        raw(#"""#)
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
