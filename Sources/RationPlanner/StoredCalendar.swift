import RationModel

/// A calendar trigger as a record stores it: `zone length u8, begin i64, pattern, zone`.
struct StoredCalendar {
    var pattern: CalendarPattern
    /// When it was scheduled, or last fired or expired: what floats is never matched again before it.
    var begin: Instant
    /// The name of its own zone; empty for one that floats.
    var timeZone: ByteRange

    private static let beginOffset = 1
    private static let patternOffset = 9
    private static let headBytes = 9 + MemoryLayout<CalendarPattern>.size

    init(_ trigger: CalendarTrigger, begin: Instant) {
        pattern = trigger.pattern
        self.begin = begin
        timeZone = trigger.timeZone
    }

    /// Reads one.
    init(_ bytes: UnsafeRawBufferPointer, at range: ByteRange) {
        let start = Int(range.offset)
        begin = Instant(milliseconds: bytes.loadUnaligned(fromByteOffset: start + Self.beginOffset, as: Int64.self))
        pattern = bytes.loadUnaligned(fromByteOffset: start + Self.patternOffset, as: CalendarPattern.self)
        timeZone = ByteRange(offset: start + Self.headBytes, count: Int(range.count) - Self.headBytes)
    }

    static func byteCount(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int {
        headBytes + Int(bytes[start])
    }

    /// - Parameter source: has the zone's name.
    func append(from source: UnsafeRawBufferPointer, to target: inout OwnedBuffer<UInt8>) {
        // No name in a tz database is longer than a byte can tell; the trigger's zone is one that the database knows.
        target.append(UInt8(truncatingIfNeeded: timeZone.count))
        withUnsafeBytes(of: begin.milliseconds) { _ = target.append($0) }
        withUnsafeBytes(of: pattern) { _ = target.append($0) }
        _ = target.append(source.view(timeZone))
    }

    static func setBegin(_ begin: Instant, at range: ByteRange, in bytes: UnsafeMutableRawBufferPointer) {
        bytes.storeBytes(of: begin.milliseconds, toByteOffset: Int(range.offset) + beginOffset, as: Int64.self)
    }
}
