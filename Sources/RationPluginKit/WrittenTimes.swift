public import RationModel

/// Days and times as facts write them.
extension WeekdaySet {
    /// Reads `mon,wed,fri`, `daily`, `weekdays` (Monday to Friday) or `weekend`.
    /// - Returns: nil for any other text.
    public init?(written text: String) {
        switch text {
        case "daily": self = .all
        case "weekdays": self = WeekdaySet(rawValue: 0b001_1111)
        case "weekend": self = WeekdaySet(rawValue: 0b110_0000)
        default:
            self = []
            for word in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let day = WeekdaySet(name: String(Substring(word)).trimmed) else { return nil }
                formUnion(day)
            }
        }
    }

    /// Whether a day since 1970-01-01, a Thursday, is among them.
    @inlinable
    public func contains(day: Int64) -> Bool {
        let weekday = (day + 3) % 7
        return rawValue >> UInt8(truncatingIfNeeded: weekday < 0 ? weekday + 7 : weekday) & 1 != 0
    }
}

extension TimeOfDay {
    /// Times of one list.
    public static let listed = 24

    /// Reads `07:30,21:00`: 1 to 24 times from 00:00 to 23:59.
    /// - Returns: minutes since midnight, rising, each once; nil for any other text.
    public static func list(_ text: String) -> [Int]? {
        var times: [Int] = []
        for word in text.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            guard times.count < listed, let minute = minutes(String(Substring(word)).trimmed), minute < minutesPerDay
            else { return nil }
            times.append(minute)
        }
        times.sort()
        return times.indices.filter { $0 == 0 || times[$0] != times[$0 - 1] }.map { times[$0] }
    }
}

/// A calendar day as facts write it: `2026-12-01`.
public enum WrittenDay {
    /// Days since 1970-01-01.
    /// - Returns: nil for any text but an existing day of the years 0 to 9999.
    public static func day(_ text: String) -> Int64? {
        guard text.utf8.count == 10, let midnight = Instant(rfc3339: text + "T00:00:00Z") else { return nil }
        return midnight.milliseconds / Instant.dayMilliseconds
    }

    /// - Parameter day: since 1970-01-01; the nearest of the years 0 to 9999 is written for others.
    public static func text(_ day: Int64) -> String {
        String(Instant(milliseconds: day * Instant.dayMilliseconds).rfc3339.prefix(10))
    }
}

extension String {
    /// Without spaces at its ends.
    fileprivate var trimmed: String {
        let isOther: (UInt8) -> Bool = { $0 != 0x20 }
        guard let first = utf8.firstIndex(where: isOther), let last = utf8.lastIndex(where: isOther) else { return "" }
        return String(self[first...last])
    }
}
