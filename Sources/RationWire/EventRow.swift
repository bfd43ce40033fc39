internal import RationJSON
public import RationModel

/// A batch's events as one row of the log: compact, with all that is needed to render them.
///
/// Little-endian. Header: first sequence u64, batch u64, instant i64, count u32. Then for each event: bytes of the entry
/// u32, kind u8, cause u8, reason u8, marks u8, priority i32, fire date i64, requested date i64, valid until i64 (`due`
/// only), app u8, type u8, device u16, id u16, content u32 (lengths), then these bytes in that order. An app and device
/// of length 0 are those of the entry before.
///
/// Feedback stands behind all others (`EventRow+Feedback.swift`).
public enum EventRow {
    static let headerBytes = 28
    static let fixedBytes = 38

    /// The marks of an entry.
    struct Marks: OptionSet {
        let rawValue: UInt8
        static let isFinal = Marks(rawValue: 1)
        static let tellsFinal = Marks(rawValue: 2)
        static let isTypeNamed = Marks(rawValue: 4)
        static let isLocal = Marks(rawValue: 8)
    }

    /// Packs a batch's events.
    /// - Parameters:
    ///   - buffer: in the order in which they are published.
    ///   - firstSequence: of the first event; the others follow without holes.
    ///   - batch: the batch's number.
    ///   - now: the batch's instant.
    ///   - content: gives a content that does not stand in the buffer: where it stands and how many bytes it has.
    /// - Throws: what `content` throws.
    public static func pack(
        _ buffer: EventBuffer, firstSequence: UInt64, batch: UInt64, now: Instant,
        content: (ContentPosition, Int) throws -> ArraySlice<UInt8>
    ) rethrows -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: byteBound(buffer)) { target, count in
            try buffer.bytes.bytes.withUnsafeBytes { texts in
                var row = RowCursor(target: UnsafeMutableRawBufferPointer(target), texts: texts)
                row.put(firstSequence)
                row.put(batch)
                row.put(now.milliseconds)
                row.put(UInt32(truncatingIfNeeded: buffer.count))
                var lastRecipient = UInt32.max
                for event in buffer.events {
                    let recipient = event.recipient == lastRecipient ? nil : buffer.recipients[Int(event.recipient)]
                    pack(event, recipient, &row)
                    if event.contentPosition == .none {
                        row.put(text: event.content)
                    } else {
                        row.put(bytes: try content(event.contentPosition, Int(event.content.count)))
                    }
                    lastRecipient = event.recipient
                }
                pack(buffer.feedback, of: buffer, after: lastRecipient, &row)
                count = row.count
            }
        }
    }

    /// Packs a batch's events whose contents stand in the buffer.
    public static func pack(_ buffer: EventBuffer, firstSequence: UInt64, batch: UInt64, now: Instant) -> [UInt8] {
        pack(buffer, firstSequence: firstSequence, batch: batch, now: now) { position, count in
            preconditionFailure("\(count) bytes of content at \(position), and no store")
        }
    }

    /// Enough bytes for a batch's row, were each event of another recipient than the one before.
    public static func byteBound(_ buffer: EventBuffer) -> Int {
        var bound = headerBytes
        for event in buffer.events {
            let recipient = buffer.recipients[Int(event.recipient)]
            let names = recipient.app.count + recipient.device.count
            bound += fixedBytes + 8 + Int(names + event.id.count + event.type.count + event.content.count)
        }
        return bound + feedbackByteBound(buffer)
    }

    /// Packs all but the content.
    private static func pack(_ event: Event, _ recipient: EventBuffer.Recipient?, _ row: inout RowCursor) {
        let app = recipient?.app ?? .empty
        let device = recipient?.device ?? .empty
        var marks: Marks = event.isTypeNamed ? [.isTypeNamed] : []
        if let isFinal = event.isFinal { marks.formUnion(isFinal ? [.tellsFinal, .isFinal] : .tellsFinal) }
        if event.delivery == .local { marks.insert(.isLocal) }
        let isDue = event.kind == .due
        let texts = Int(app.count + device.count + event.id.count + event.type.count + event.content.count)
        row.put(UInt32(truncatingIfNeeded: fixedBytes + (isDue ? 8 : 0) + texts))
        row.put(event.kind.rawValue)
        row.put(event.cause.rawValue)
        row.put(event.reason.rawValue)
        row.put(marks.rawValue)
        row.put(event.priority)
        row.put(event.fireDate.milliseconds)
        row.put(event.requestedDate.milliseconds)
        if isDue { row.put(event.validUntil.milliseconds) }
        // Validation limits an app to 128 bytes, a type to 64, a device to 128, an id to 256.
        row.put(UInt8(truncatingIfNeeded: app.count))
        row.put(UInt8(truncatingIfNeeded: event.type.count))
        row.put(UInt16(truncatingIfNeeded: device.count))
        row.put(UInt16(truncatingIfNeeded: event.id.count))
        row.put(event.content.count)
        row.put(text: app)
        row.put(text: device)
        row.put(text: event.id)
        row.put(text: event.type)
    }
}

/// Writes a row's bytes one after another into memory of known size; every write is checked against its end.
struct RowCursor {
    let target: UnsafeMutableRawBufferPointer
    let texts: UnsafeRawBufferPointer
    private(set) var count = 0

    init(target: UnsafeMutableRawBufferPointer, texts: UnsafeRawBufferPointer) {
        self.target = target
        self.texts = texts
    }

    @inline(__always)
    mutating func put(_ number: some FixedWidthInteger & BitwiseCopyable) {
        target.storeBytes(of: number.littleEndian, toByteOffset: count, as: type(of: number))
        count += MemoryLayout.size(ofValue: number)
    }

    mutating func put(bytes: ArraySlice<UInt8>) {
        precondition(count + bytes.count <= target.count, "a row of \(target.count) bytes")
        UnsafeMutableRawBufferPointer(rebasing: target[count...]).copyBytes(from: bytes)
        count += bytes.count
    }

    @inline(__always)
    mutating func put(text range: ByteRange) {
        let size = Int(range.count)
        precondition(
            count + size <= target.count && Int(range.offset) + size <= texts.count, "a row of \(target.count) bytes")
        guard size > 0, let to = target.baseAddress, let from = texts.baseAddress else { return }
        // Both ends were checked.
        (to + count).copyMemory(from: from + Int(range.offset), byteCount: size)
        count += size
    }
}

/// One event as its row holds it: a view, valid as long as the row's bytes.
public struct EventEntry {
    public var sequence: UInt64
    public var batch: UInt64
    public var time: Instant
    public var kind: EventKind
    public var cause: EventCause
    public var reason: EventReason
    public var isFinal: Bool?
    public var isTypeNamed: Bool
    public var delivery: Delivery
    public var priority: Int32
    public var fireDate: Instant
    public var requestedDate: Instant
    public var validUntil: Instant
    public var app: UnsafeRawBufferPointer
    public var device: UnsafeRawBufferPointer
    public var id: UnsafeRawBufferPointer
    public var type: UnsafeRawBufferPointer
    public var content: UnsafeRawBufferPointer
    /// Of feedback only, each empty without: the action that was chosen, and why it failed.
    public var action = UnsafeRawBufferPointer(start: nil, count: 0)
    public var failure = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Of feedback only: how long the typed text is.
    public var textLength: Int32?
}

extension EventRow {
    /// Reads the entries of a row one after another.
    public struct Reader {
        private let row: UnsafeRawBufferPointer
        private var position = EventRow.headerBytes
        private var left: UInt32
        private var sequence: UInt64
        private let batch: UInt64
        private let time: Instant
        private var app = UnsafeRawBufferPointer(start: nil, count: 0)
        private var device = UnsafeRawBufferPointer(start: nil, count: 0)

        /// - Parameter row: one that `pack` made.
        public init(_ row: UnsafeRawBufferPointer) {
            self.row = row
            sequence = UInt64(littleEndian: row.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
            batch = UInt64(littleEndian: row.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            time = Instant(milliseconds: Int64(littleEndian: row.loadUnaligned(fromByteOffset: 16, as: Int64.self)))
            left = UInt32(littleEndian: row.loadUnaligned(fromByteOffset: 24, as: UInt32.self))
        }

        /// The events that are left; nil when there are none.
        public var sequences: ClosedRange<UInt64>? { left > 0 ? sequence...sequence + UInt64(left) - 1 : nil }

        public mutating func next() -> EventEntry? {
            guard left > 0 else { return nil }
            left -= 1
            var entry = EntryCursor(row, at: position)
            let length = Int(entry.number(UInt32.self))
            let kind = EventKind(rawValue: entry.number(UInt8.self)) ?? .accepted
            var event = kind.isFeedback ? feedback(kind, &entry) : planned(kind, &entry)
            if event.app.isEmpty {
                (event.app, event.device) = (app, device)
            } else {
                (app, device) = (event.app, event.device)
            }
            position += length
            sequence += 1
            return event
        }

        private func planned(_ kind: EventKind, _ entry: inout EntryCursor) -> EventEntry {
            let (cause, reason) = (entry.number(UInt8.self), entry.number(UInt8.self))
            let marks = Marks(rawValue: entry.number(UInt8.self))
            let priority = entry.number(Int32.self)
            let fireDate = Instant(milliseconds: entry.number(Int64.self))
            let requestedDate = Instant(milliseconds: entry.number(Int64.self))
            let validUntil = kind == .due ? Instant(milliseconds: entry.number(Int64.self)) : .distantFuture
            let (appCount, typeCount) = (Int(entry.number(UInt8.self)), Int(entry.number(UInt8.self)))
            let (deviceCount, idCount) = (Int(entry.number(UInt16.self)), Int(entry.number(UInt16.self)))
            let contentCount = Int(entry.number(UInt32.self))
            let (app, device) = (entry.bytes(appCount), entry.bytes(deviceCount))
            let (id, type, content) = (entry.bytes(idCount), entry.bytes(typeCount), entry.bytes(contentCount))
            return EventEntry(
                sequence: sequence, batch: batch, time: time, kind: kind, cause: EventCause(rawValue: cause) ?? .none,
                reason: EventReason(rawValue: reason) ?? .none,
                isFinal: marks.contains(.tellsFinal) ? marks.contains(.isFinal) : nil,
                isTypeNamed: marks.contains(.isTypeNamed), delivery: marks.contains(.isLocal) ? .local : .push,
                priority: priority, fireDate: fireDate, requestedDate: requestedDate, validUntil: validUntil,
                app: app, device: device, id: id, type: type, content: content)
        }

        private func feedback(_ kind: EventKind, _ entry: inout EntryCursor) -> EventEntry {
            let told = FeedbackEntry(&entry)
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            return EventEntry(
                sequence: sequence, batch: batch, time: time, kind: kind, cause: .none, reason: .none, isFinal: nil,
                isTypeNamed: false, delivery: .push, priority: 0, fireDate: .distantPast, requestedDate: .distantPast,
                validUntil: .distantFuture, app: told.app, device: told.device, id: told.id, type: nothing,
                content: nothing, action: told.action, failure: told.failure, textLength: told.textLength)
        }
    }
}

/// Reads the fields of one entry of a row one after another.
struct EntryCursor {
    private let row: UnsafeRawBufferPointer
    private var place: Int

    init(_ row: UnsafeRawBufferPointer, at place: Int) {
        (self.row, self.place) = (row, place)
    }

    @inline(__always)
    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
        defer { place += MemoryLayout<Number>.size }
        return Number(littleEndian: row.loadUnaligned(fromByteOffset: place, as: Number.self))
    }

    @inline(__always)
    mutating func bytes(_ count: Int) -> UnsafeRawBufferPointer {
        defer { place += count }
        return UnsafeRawBufferPointer(rebasing: row[place..<place + count])
    }
}
