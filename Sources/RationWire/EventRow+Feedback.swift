internal import RationModel

/// Feedback in a row of the log: behind the planner's events, in the order in which it came.
///
/// Each entry: bytes of the entry u32, kind u8, three bytes 0, length of the typed text i32 (-1: not told), app u8, failure u8,
/// device u16, id u16, action u16 (lengths), then these bytes in the order app, device, id, failure, action. An app and device of
/// length 0 are those of the entry before, of whichever kind that is.
extension EventRow {
    private static let feedbackFixedBytes = 20

    static func feedbackByteBound(_ buffer: EventBuffer) -> Int {
        buffer.feedback.reduce(0) { bound, event in
            let recipient = buffer.recipients[Int(event.recipient)]
            return bound + feedbackFixedBytes + textBytes(event, recipient)
        }
    }

    private static func textBytes(_ event: FeedbackEvent, _ recipient: EventBuffer.Recipient?) -> Int {
        let names = (recipient?.app.count ?? 0) + (recipient?.device.count ?? 0)
        return Int(names + event.id.count + event.feedback.failure.count + event.feedback.action.count)
    }

    /// - Parameter lastRecipient: of the entry before the first.
    static func pack(
        _ feedback: ContiguousArray<FeedbackEvent>, of buffer: EventBuffer, after lastRecipient: UInt32,
        _ row: inout RowCursor
    ) {
        var lastRecipient = lastRecipient
        for event in feedback {
            pack(event, event.recipient == lastRecipient ? nil : buffer.recipients[Int(event.recipient)], &row)
            lastRecipient = event.recipient
        }
    }

    private static func pack(
        _ event: FeedbackEvent, _ recipient: EventBuffer.Recipient?, _ row: inout RowCursor
    ) {
        let (app, device) = (recipient?.app ?? .empty, recipient?.device ?? .empty)
        let feedback = event.feedback
        row.put(UInt32(truncatingIfNeeded: feedbackFixedBytes + textBytes(event, recipient)))
        row.put(feedback.kind.rawValue)
        row.put(UInt8(0))
        row.put(UInt16(0))
        row.put(feedback.textLength)
        // Validation limits an app to 128 bytes, a failure's word to 64, a device to 128, an id and an action to 256.
        row.put(UInt8(truncatingIfNeeded: app.count))
        row.put(UInt8(truncatingIfNeeded: feedback.failure.count))
        row.put(UInt16(truncatingIfNeeded: device.count))
        row.put(UInt16(truncatingIfNeeded: event.id.count))
        row.put(UInt16(truncatingIfNeeded: feedback.action.count))
        for text in [app, device, event.id, feedback.failure, feedback.action] { row.put(text: text) }
    }
}

/// What an entry of feedback holds behind its kind: a view, valid as long as the row's bytes.
struct FeedbackEntry {
    let textLength: Int32?
    let app: UnsafeRawBufferPointer
    let device: UnsafeRawBufferPointer
    let id: UnsafeRawBufferPointer
    let failure: UnsafeRawBufferPointer
    let action: UnsafeRawBufferPointer

    init(_ entry: inout EntryCursor) {
        _ = entry.bytes(3)
        let length = entry.number(Int32.self)
        textLength = length >= 0 ? length : nil
        let (appCount, failureCount) = (Int(entry.number(UInt8.self)), Int(entry.number(UInt8.self)))
        let (deviceCount, idCount) = (Int(entry.number(UInt16.self)), Int(entry.number(UInt16.self)))
        let actionCount = Int(entry.number(UInt16.self))
        (app, device, id) = (entry.bytes(appCount), entry.bytes(deviceCount), entry.bytes(idCount))
        (failure, action) = (entry.bytes(failureCount), entry.bytes(actionCount))
    }
}
