/// RFC 3339 dates as the wire reads and writes them. Years 0000 to 9999, the proleptic Gregorian calendar, no leap
/// seconds (a `:60` is read as the next minute's start, as POSIX clocks do).
extension Instant {
    /// The length of a written date: `2026-12-01T08:00:00.000Z`.
    public static let writtenLength = 24

    /// The first and the last instant that can be written with a year of four digits.
    public static let writable =
        Instant(milliseconds: -62_167_219_200_000)...Instant(milliseconds: 253_402_300_799_999)

    /// Reads an RFC 3339 date: `2026-12-01T08:00:00Z`, with an optional fraction (digits beyond milliseconds are cut)
    /// and `Z` or an offset `±HH:MM`. `T` and `Z` may be small letters, a space may stand for `T`.
    /// - Returns: nil if the bytes are anything else or name a day, hour or offset that does not exist.
    public init?(rfc3339 bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 20, let date = DateFields(bytes) else { return nil }
        var position = 19
        guard let fraction = Self.fraction(bytes, at: &position),
            let offsetMinutes = Self.offset(bytes, at: position)
        else { return nil }
        let days = Self.days(year: date.year, month: date.month, day: date.day)
        let seconds = days * 86_400 + Int64(date.hour * 3600 + date.minute * 60 + date.second)
        self.init(milliseconds: (seconds - Int64(offsetMinutes) * 60) * 1000 + fraction)
    }

    /// Reads the same from a string.
    public init?(rfc3339 text: String) {
        var text = text
        let parsed = text.withUTF8 { Instant(rfc3339: UnsafeRawBufferPointer($0)) }
        guard let parsed else { return nil }
        self = parsed
    }

    /// Milliseconds of `.5`, `.123456`, or 0 when there is no fraction; moves `position` behind it.
    private static func fraction(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> Int64? {
        guard bytes[position] == UInt8(ascii: ".") else { return 0 }
        position += 1
        let start = position
        var value: Int64 = 0
        while position < bytes.count, let digit = digit(bytes[position]) {
            if position - start < 3 { value = value * 10 + Int64(digit) }
            position += 1
        }
        let digits = position - start
        guard digits > 0, position < bytes.count else { return nil }
        return digits == 1 ? value * 100 : digits == 2 ? value * 10 : value
    }

    /// Minutes east of UTC of `Z` or `±HH:MM` that ends the text.
    private static func offset(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
        let sign = bytes[position]
        if sign | 0x20 == UInt8(ascii: "z") { return position + 1 == bytes.count ? 0 : nil }
        guard sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"), position + 6 == bytes.count,
            bytes[position + 3] == UInt8(ascii: ":"),
            let hours = twoDigits(bytes, at: position + 1), let minutes = twoDigits(bytes, at: position + 4),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -1 : 1)
    }

    @inline(__always)
    fileprivate static func digit(_ byte: UInt8) -> Int? {
        let value = Int(byte) - 0x30
        return value >= 0 && value <= 9 ? value : nil
    }

    @inline(__always)
    fileprivate static func twoDigits(_ bytes: UnsafeRawBufferPointer, at position: Int) -> Int? {
        guard let tens = digit(bytes[position]), let ones = digit(bytes[position + 1]) else { return nil }
        return tens * 10 + ones
    }

    /// Days since 1970-01-01 of a Gregorian date (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
    public static func days(year: Int, month: Int, day: Int) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int64(era * 146_097 + dayOfEra - 719_468)
    }

    /// The Gregorian date of a count of days since 1970-01-01; the inverse of `days(year:month:day:)`.
    @inlinable
    public static func date(days: Int64) -> (year: Int, month: Int, day: Int) {
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthShifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthShifted + 2) / 5 + 1
        let month = monthShifted < 10 ? monthShifted + 3 : monthShifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// Writes `2026-12-01T08:00:00.000Z` into 24 bytes; an instant outside `writable` is written as its nearest end.
    /// - Parameter target: at least `writtenLength` bytes.
    public func write(to target: UnsafeMutableRawPointer) {
        let clamped = min(max(self, Self.writable.lowerBound), Self.writable.upperBound).milliseconds
        let days = clamped >= 0 ? clamped / 86_400_000 : (clamped - 86_399_999) / 86_400_000
        let ofDay = UInt32(truncatingIfNeeded: clamped - days * 86_400_000)
        let date = Self.date(days: days)
        let (seconds, milliseconds) = (ofDay / 1000, ofDay % 1000)
        let year = UInt32(truncatingIfNeeded: date.year)
        // Each pair of digits, and each sign between them, has its place within the 24 bytes.
        func put(_ value: UInt32, at position: Int) {
            let pair = 0x3030 + (value % 10) << 8 + value / 10
            target.storeBytes(
                of: UInt16(truncatingIfNeeded: pair).littleEndian, toByteOffset: position, as: UInt16.self)
        }
        func put(_ sign: UInt8, at position: Int) {
            target.storeBytes(of: sign, toByteOffset: position, as: UInt8.self)
        }
        put(year / 100, at: 0)
        put(year % 100, at: 2)
        put(UInt8(ascii: "-"), at: 4)
        put(UInt32(truncatingIfNeeded: date.month), at: 5)
        put(UInt8(ascii: "-"), at: 7)
        put(UInt32(truncatingIfNeeded: date.day), at: 8)
        put(UInt8(ascii: "T"), at: 10)
        put(seconds / 3600, at: 11)
        put(UInt8(ascii: ":"), at: 13)
        put(seconds / 60 % 60, at: 14)
        put(UInt8(ascii: ":"), at: 16)
        put(seconds % 60, at: 17)
        put(UInt8(ascii: "."), at: 19)
        put(milliseconds / 10, at: 20)
        put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: milliseconds % 10), at: 22)
        put(UInt8(ascii: "Z"), at: 23)
    }

    /// The same as a string, for people and for cold paths.
    public var rfc3339: String {
        String(unsafeUninitializedCapacity: Self.writtenLength) { buffer in
            // The capacity asked for is `writtenLength`, which is what `write` fills.
            if let base = buffer.baseAddress { write(to: base) }
            return Self.writtenLength
        }
    }
}

/// The fixed part of an RFC 3339 date, `YYYY-MM-DDTHH:MM:SS`, with each field in its range.
private struct DateFields {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    init?(_ bytes: UnsafeRawBufferPointer) {
        guard let century = Instant.twoDigits(bytes, at: 0), let yearOfCentury = Instant.twoDigits(bytes, at: 2),
            let month = Instant.twoDigits(bytes, at: 5), let day = Instant.twoDigits(bytes, at: 8),
            let hour = Instant.twoDigits(bytes, at: 11), let minute = Instant.twoDigits(bytes, at: 14),
            let second = Instant.twoDigits(bytes, at: 17),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"), bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == 0x20
        else { return nil }
        let year = century * 100 + yearOfCentury
        guard (1...12).contains(month), day >= 1, day <= Self.length(ofMonth: month, year: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
    }

    private static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
