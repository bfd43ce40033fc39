import RationModel

/// What is stored of a notification beside its dates, packed into its recipient's bytes:
/// `header u32, [passed i64], [trigger u32 or i64, or a calendar block], [expires u32 or i64], id, type, content`.
///
/// The header holds, from its lowest bit, id length − 1 (8 bits), type length (7), content length (13), how `expires` is
/// stored (2) and how the trigger is (2). The type is the one that the intent named itself, if the policy does not name it;
/// else empty.
struct Record {
    /// For an `at` trigger how many milliseconds before the requested date it was written for; for a repeating interval
    /// its milliseconds; else 0.
    var number: Int64
    var expires: Instant
    /// Where a calendar trigger's `StoredCalendar` lies; empty for other triggers.
    var calendar: ByteRange
    var id: ByteRange
    var type: ByteRange
    /// The content itself, or, of a recipient whose contents a store keeps, a `StoredContent`.
    var content: ByteRange
    /// Bytes from the first to the last.
    var byteCount: Int

    /// Bytes of content that a header can tell; validation allows about half.
    static let contentLimit = 1 << 13 - 1
    private static let headerBytes = 4
    private static let passedBytes = 8

    /// How a number is stored.
    private enum Form: UInt32 {
        case none, short, long, calendar

        init(_ bits: UInt32) {
            // Two bits, and there are four forms.
            self = Form(rawValue: bits & 3) ?? .none
        }
    }

    /// Reads the record of a notification.
    @inline(__always)
    init(_ bytes: UnsafeRawBufferPointer, of notification: PendingNotification) {
        let start = Int(notification.record)
        let header = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        var position = start + Self.headerBytes + (notification.has(.hasPassedRoom) ? Self.passedBytes : 0)
        number = 0
        calendar = .empty
        switch Form(header >> 30) {
        case .none: break
        case .short: number = Self.short(bytes, &position)
        case .long: number = Self.long(bytes, &position)
        case .calendar:
            calendar = ByteRange(offset: position, count: StoredCalendar.byteCount(bytes, at: position))
            position += Int(calendar.count)
        }
        switch Form(header >> 28) {
        case .none, .calendar: expires = .distantFuture
        case .short: expires = notification.requestedDate.advanced(by: Self.short(bytes, &position))
        case .long: expires = Instant(milliseconds: Self.long(bytes, &position))
        }
        let idCount = Int(header & 0xFF) + 1
        let typeCount = Int(header >> 8 & 0x7F)
        let contentCount = Int(header >> 15 & 0x1FFF)
        id = ByteRange(offset: position, count: idCount)
        type = ByteRange(offset: position + idCount, count: typeCount)
        content = ByteRange(offset: position + idCount + typeCount, count: contentCount)
        byteCount = position + idCount + typeCount + contentCount - start
    }

    /// How many bytes the content of a record has, and the record without it, as its first bytes say.
    /// - Parameter front: a record, with its content or without.
    static func counts(
        _ front: UnsafeRawBufferPointer, of notification: PendingNotification, _ reader: StateReader
    ) throws(StateFault) -> (content: Int, front: Int) {
        guard front.count >= headerBytes else { throw reader.fault("a record of \(front.count) bytes") }
        let header = UInt32(littleEndian: front.loadUnaligned(as: UInt32.self))
        var count = headerBytes + (notification.has(.hasPassedRoom) ? passedBytes : 0)
        switch Form(header >> 30) {
        case .none: break
        case .short: count += 4
        case .long: count += 8
        case .calendar:
            guard count < front.count else { throw reader.fault("a record without its calendar trigger") }
            count += StoredCalendar.byteCount(front, at: count)
        }
        switch Form(header >> 28) {
        case .none, .calendar: break
        case .short: count += 4
        case .long: count += 8
        }
        return (Int(header >> 15 & 0x1FFF), count + Int(header & 0xFF) + 1 + Int(header >> 8 & 0x7F))
    }

    @inline(__always)
    private static func short(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Int64 {
        defer { position += 4 }
        return Int64(bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
    }

    @inline(__always)
    private static func long(_ bytes: UnsafeRawBufferPointer, _ position: inout Int) -> Int64 {
        defer { position += 8 }
        return bytes.loadUnaligned(fromByteOffset: position, as: Int64.self)
    }

    /// Packs a record to the end of `target`.
    /// - Parameters:
    ///   - intent: names id and type in `source`.
    ///   - content: as the property of the same name.
    ///   - notification: what it becomes; its requested date is the final one.
    ///   - number: as the property of the same name.
    ///   - calendar: for a calendar trigger.
    /// - Returns: where it starts.
    static func append(
        _ intent: Intent, of notification: PendingNotification, number: Int64, calendar: StoredCalendar?,
        content: UnsafeRawBufferPointer, from source: UnsafeRawBufferPointer, to target: inout OwnedBuffer<UInt8>
    ) -> UInt32 {
        let start = UInt32(truncatingIfNeeded: target.count)
        target.reserve(64 + Int(intent.id.count + intent.type.count) + content.count)
        let trigger: Form = calendar != nil ? .calendar : form(of: number)
        let delta = intent.expires.milliseconds &- notification.requestedDate.milliseconds
        let isRelative = !notification.has([.repeating, .calendar]) && form(of: delta) == .short
        let expires: Form = intent.expires == .distantFuture ? .none : isRelative ? .short : .long
        // Lengths are limited by validation: id 1 to 256, type 64; content is held to its limit by the planner.
        let type = notification.has(.ownTypeIsNamed) ? ByteRange.empty : intent.type
        let contentCount = UInt32(truncatingIfNeeded: content.count)
        let lengths = (intent.id.count &- 1) & 0xFF | type.count << 8 | contentCount << 15
        append((lengths | expires.rawValue << 28 | trigger.rawValue << 30).littleEndian, to: &target)
        if let calendar { calendar.append(from: source, to: &target) } else { append(number, as: trigger, to: &target) }
        append(isRelative ? delta : intent.expires.milliseconds, as: expires, to: &target)
        _ = target.append(source.view(intent.id))
        _ = target.append(source.view(type))
        _ = target.append(content)
        return start
    }

    private static func form(of number: Int64) -> Form {
        number == 0 ? .none : UInt32(exactly: number) != nil ? .short : .long
    }

    private static func append(_ number: Int64, as form: Form, to target: inout OwnedBuffer<UInt8>) {
        switch form {
        case .none, .calendar: break
        case .short: append(UInt32(truncatingIfNeeded: number), to: &target)
        case .long: append(number, to: &target)
        }
    }

    @inline(__always)
    private static func append(_ number: some FixedWidthInteger, to target: inout OwnedBuffer<UInt8>) {
        withUnsafeBytes(of: number) { _ = target.append($0) }
    }

    /// Copies the record of a notification to the end of the bytes, with room for the date that has passed.
    /// - Returns: where the copy starts.
    static func copyWithPassedRoom(
        of notification: PendingNotification, byteCount: Int, in bytes: inout OwnedBuffer<UInt8>
    ) -> UInt32 {
        let start = UInt32(truncatingIfNeeded: bytes.count)
        // First, so that the buffer does not move while its own bytes are copied.
        bytes.reserve(byteCount + passedBytes)
        let record = ByteRange(offset: Int(notification.record), count: byteCount)
        let header = ByteRange(offset: Int(record.offset), count: headerBytes)
        let rest = ByteRange(offset: Int(record.offset) + headerBytes, count: byteCount - headerBytes)
        _ = bytes.append(bytes.view(header))
        append(Int64.max, to: &bytes)
        _ = bytes.append(bytes.view(rest))
        return start
    }

    /// Copies the record of a notification, which has no type, to the end of the bytes, with one.
    /// - Parameter type: lies elsewhere.
    /// - Returns: where the copy starts.
    static func copyWithType(
        _ type: UnsafeRawBufferPointer, of notification: PendingNotification, in bytes: inout OwnedBuffer<UInt8>
    ) -> UInt32 {
        let record = Record(UnsafeRawBufferPointer(bytes.elements), of: notification)
        let start = UInt32(truncatingIfNeeded: bytes.count)
        // First, so that the buffer does not move while its own bytes are copied.
        bytes.reserve(record.byteCount + type.count)
        let place = Int(notification.record)
        let header = UInt32(
            littleEndian: UnsafeRawBufferPointer(bytes.elements).loadUnaligned(fromByteOffset: place, as: UInt32.self))
        append((header | UInt32(type.count) << 8).littleEndian, to: &bytes)
        let front = place + headerBytes
        _ = bytes.append(bytes.view(ByteRange(offset: front, count: Int(record.type.offset) - front)))
        _ = bytes.append(type)
        _ = bytes.append(bytes.view(record.content))
        return start
    }

    /// The first fire date that passed without firing, of a notification whose record has room for it.
    @inline(__always)
    static func passedDate(_ bytes: UnsafeRawBufferPointer, of notification: PendingNotification) -> Instant {
        let place = Int(notification.record) + headerBytes
        return Instant(milliseconds: bytes.loadUnaligned(fromByteOffset: place, as: Int64.self))
    }

    static func setPassedDate(
        _ date: Instant, of notification: PendingNotification, in bytes: UnsafeMutableRawBufferPointer
    ) {
        let place = Int(notification.record) + headerBytes
        bytes.storeBytes(of: date.milliseconds, toByteOffset: place, as: Int64.self)
    }
}
