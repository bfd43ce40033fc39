internal import RationJSON
public import RationModel

/// A batch's events as one row of the log: compact, with all that is needed to render them.
///
/// Little-endian. Header: first sequence u64, batch u64, instant i64, count u32. Then for each event: bytes of the entry
/// u32, kind u8, cause u8, reason u8, marks u8, priority i32, fire date i64, requested date i64, valid until i64 (`due`
/// only), app u8, type u8, device u16, id u16, content u32 (lengths), then these bytes in that order. An app and device
/// of length 0 are those of the entry before.
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
    public static func pack(_ buffer: EventBuffer, firstSequence: UInt64, batch: UInt64, now: Instant) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(headerBytes + buffer.events.count * (fixedBytes + 8) + buffer.bytes.count)
        append(firstSequence, to: &row)
        append(batch, to: &row)
        append(now.milliseconds, to: &row)
        append(UInt32(truncatingIfNeeded: buffer.events.count), to: &row)
        var lastRecipient = UInt32.max
        for event in buffer.events {
            append(event, buffer, isSameRecipient: event.recipient == lastRecipient, to: &row)
            lastRecipient = event.recipient
        }
        return row
    }

    @inline(__always)
    private static func append<Number: FixedWidthInteger>(_ number: Number, to row: inout [UInt8]) {
        withUnsafeBytes(of: number.littleEndian) { row.append(contentsOf: $0) }
    }

    private static func append(_ event: Event, _ buffer: EventBuffer, isSameRecipient: Bool, to row: inout [UInt8]) {
        let recipient = buffer.recipients[Int(event.recipient)]
        let app = isSameRecipient ? ByteRange.empty : recipient.app
        let device = isSameRecipient ? ByteRange.empty : recipient.device
        var marks: Marks = event.isTypeNamed ? [.isTypeNamed] : []
        if let isFinal = event.isFinal { marks.formUnion(isFinal ? [.tellsFinal, .isFinal] : .tellsFinal) }
        if event.delivery == .local { marks.insert(.isLocal) }
        let isDue = event.kind == .due
        let texts = Int(app.count + device.count + event.id.count + event.type.count + event.content.count)
        append(UInt32(truncatingIfNeeded: fixedBytes + (isDue ? 8 : 0) + texts), to: &row)
        row.append(event.kind.rawValue)
        row.append(event.cause.rawValue)
        row.append(event.reason.rawValue)
        row.append(marks.rawValue)
        append(event.priority, to: &row)
        append(event.fireDate.milliseconds, to: &row)
        append(event.requestedDate.milliseconds, to: &row)
        if isDue { append(event.validUntil.milliseconds, to: &row) }
        // Validation limits an app to 128 bytes, a type to 64, a device to 128, an id to 256.
        row.append(UInt8(truncatingIfNeeded: app.count))
        row.append(UInt8(truncatingIfNeeded: event.type.count))
        append(UInt16(truncatingIfNeeded: device.count), to: &row)
        append(UInt16(truncatingIfNeeded: event.id.count), to: &row)
        append(event.content.count, to: &row)
        for range in [app, device, event.id, event.type, event.content] {
            buffer.bytes.with(range) { row.append(contentsOf: $0) }
        }
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

        public mutating func next() -> EventEntry? {
            guard left > 0 else { return nil }
            left -= 1
            var at = position
            func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
                defer { at += MemoryLayout<Number>.size }
                return Number(littleEndian: row.loadUnaligned(fromByteOffset: at, as: Number.self))
            }
            let length = Int(number(UInt32.self))
            let (kind, cause, reason) = (number(UInt8.self), number(UInt8.self), number(UInt8.self))
            let marks = Marks(rawValue: number(UInt8.self))
            let priority = number(Int32.self)
            let fireDate = Instant(milliseconds: number(Int64.self))
            let requestedDate = Instant(milliseconds: number(Int64.self))
            let isDue = kind == EventKind.due.rawValue
            let validUntil = isDue ? Instant(milliseconds: number(Int64.self)) : .distantFuture
            let (appCount, typeCount) = (Int(number(UInt8.self)), Int(number(UInt8.self)))
            let (deviceCount, idCount) = (Int(number(UInt16.self)), Int(number(UInt16.self)))
            let contentCount = Int(number(UInt32.self))
            func bytes(_ count: Int) -> UnsafeRawBufferPointer {
                defer { at += count }
                return UnsafeRawBufferPointer(rebasing: row[at..<at + count])
            }
            let (newApp, newDevice) = (bytes(appCount), bytes(deviceCount))
            if appCount > 0 { (app, device) = (newApp, newDevice) }
            let (id, type, content) = (bytes(idCount), bytes(typeCount), bytes(contentCount))
            defer {
                position += length
                sequence += 1
            }
            return EventEntry(
                sequence: sequence, batch: batch, time: time,
                kind: EventKind(rawValue: kind) ?? .accepted, cause: EventCause(rawValue: cause) ?? .none,
                reason: EventReason(rawValue: reason) ?? .none,
                isFinal: marks.contains(.tellsFinal) ? marks.contains(.isFinal) : nil,
                isTypeNamed: marks.contains(.isTypeNamed), delivery: marks.contains(.isLocal) ? .local : .push,
                priority: priority, fireDate: fireDate, requestedDate: requestedDate, validUntil: validUntil,
                app: app, device: device, id: id, type: type, content: content)
        }
    }
}
