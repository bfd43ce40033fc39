import RationModel
import RationWire
import TestSupport

/// An event as a test compares it: all of an entry, with texts of its own.
struct EventRecord: Equatable {
    var sequence: UInt64 = 0
    var kind: EventKind
    var cause = EventCause.none
    var reason = EventReason.none
    var isFinal: Bool?
    var isTypeNamed = true
    var delivery = Delivery.push
    var priority: Int32 = 0
    var fireDate = Instant(milliseconds: 0)
    var requestedDate = Instant(milliseconds: 0)
    var validUntil = Instant.distantFuture
    var app = "com.example.habits"
    var device = "d1"
    var id = "n1"
    var type = "habit"
    var content = ""
    var action = ""
    var failure = ""
    var textLength: Int32?

    init(_ kind: EventKind) {
        self.kind = kind
        guard kind.isFeedback else { return }
        (isTypeNamed, type) = (false, "")
        (fireDate, requestedDate) = (.distantPast, .distantPast)
    }

    init(_ entry: EventEntry) {
        func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
        (sequence, kind, cause, reason) = (entry.sequence, entry.kind, entry.cause, entry.reason)
        (isFinal, isTypeNamed, delivery, priority) = (entry.isFinal, entry.isTypeNamed, entry.delivery, entry.priority)
        (fireDate, requestedDate, validUntil) = (entry.fireDate, entry.requestedDate, entry.validUntil)
        (app, device, id, type) = (text(entry.app), text(entry.device), text(entry.id), text(entry.type))
        content = text(entry.content)
        (action, failure, textLength) = (text(entry.action), text(entry.failure), entry.textLength)
    }

    static func random(app: String, device: String, using random: inout SplitMix64) -> EventRecord {
        func instant() -> Instant { Instant(milliseconds: .random(in: .min ... .max, using: &random)) }
        func text(_ limit: Int) -> String {
            String(
                (0..<Int.random(in: 1...limit, using: &random)).map { _ in "azé😀\"".randomElement(using: &random) ?? "a"
                })
        }
        var record = EventRecord(EventKind.allCases.randomElement(using: &random) ?? .due)
        (record.app, record.device, record.id) = (app, device, text(64))
        if record.kind.isFeedback {
            if Bool.random(using: &random) { record.action = text(64) }
            if Bool.random(using: &random) { record.failure = text(16) }
            if Bool.random(using: &random) { record.textLength = .random(in: 0 ... .max, using: &random) }
            return record
        }
        record.cause = EventCause(rawValue: .random(in: 0...5, using: &random)) ?? .none
        record.reason = EventReason(rawValue: .random(in: 0...10, using: &random)) ?? .none
        record.isFinal = [nil, true, false].randomElement(using: &random) ?? nil
        record.isTypeNamed = .random(using: &random)
        record.delivery = .random(using: &random) ? .push : .local
        record.priority = .random(in: .min ... .max, using: &random)
        (record.fireDate, record.requestedDate) = (instant(), instant())
        record.type = text(16)
        if record.kind == .due {
            (record.validUntil, record.content) = (instant(), text(Bool.random(using: &random) ? 9 : 5000))
        }
        return record
    }
}

/// The buffer of a batch with these events, feedback last; neighbours with one app and device share a recipient.
func buffer(_ records: [EventRecord]) -> EventBuffer {
    var buffer = EventBuffer()
    var last: EventRecord?
    for record in records {
        if last?.app != record.app || last?.device != record.device {
            buffer.recipients.append(
                .init(app: buffer.bytes.append(record.app), device: buffer.bytes.append(record.device)))
        }
        last = record
        if record.kind.isFeedback {
            buffer.append(feedback: record)
            continue
        }
        var event = Event(kind: record.kind)
        (event.cause, event.reason, event.isFinal) = (record.cause, record.reason, record.isFinal)
        (event.isTypeNamed, event.delivery, event.priority) = (record.isTypeNamed, record.delivery, record.priority)
        (event.fireDate, event.requestedDate) = (record.fireDate, record.requestedDate)
        event.validUntil = record.validUntil
        event.recipient = UInt32(buffer.recipients.count - 1)
        event.id = buffer.bytes.append(record.id)
        event.type = buffer.bytes.append(record.type)
        event.content = buffer.bytes.append(record.content)
        buffer.events.append(event)
    }
    return buffer
}

extension EventBuffer {
    fileprivate mutating func append(feedback record: EventRecord) {
        var told = Feedback(record.kind)
        (told.action, told.failure) = (bytes.append(record.action), bytes.append(record.failure))
        told.textLength = record.textLength ?? -1
        feedback.append(
            FeedbackEvent(told, recipient: UInt32(recipients.count - 1), id: bytes.append(record.id)))
    }
}

/// Packs the events and calls `read` with each entry of the row.
func entries<Result>(
    _ records: [EventRecord], sequence: UInt64 = 1, batch: UInt64 = 1, now: Instant = Instant(milliseconds: 0),
    _ read: (EventEntry) -> Result
) -> [Result] {
    let row = EventRow.pack(buffer(records), firstSequence: sequence, batch: batch, now: now)
    return row.withUnsafeBytes { bytes in
        var reader = EventRow.Reader(bytes)
        var results: [Result] = []
        while let entry = reader.next() { results.append(read(entry)) }
        return results
    }
}
