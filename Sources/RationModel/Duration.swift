/// A duration as policies and configurations write it: a whole number and `ms`, `s`, `m`, `h` or `d`.
public enum WrittenDuration {
    /// - Returns: milliseconds; nil for any other text, or one beyond the range of `Int64`.
    public static func milliseconds(_ text: String) -> Int64? {
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard !digits.isEmpty, let number = Int64(String(decoding: digits, as: UTF8.self)) else { return nil }
        let factor: Int64
        switch String(decoding: text.utf8.dropFirst(digits.count), as: UTF8.self) {
        case "ms": factor = 1
        case "s": factor = 1000
        case "m": factor = 60_000
        case "h": factor = 3_600_000
        case "d": factor = 86_400_000
        default: return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// A duration as it would be written, in the largest unit of which it is a whole number.
    public static func text(_ milliseconds: Int64) -> String {
        let units: [(Int64, String)] = [(86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")]
        for (factor, unit) in units where milliseconds != 0 && milliseconds % factor == 0 {
            return "\(milliseconds / factor)\(unit)"
        }
        return "\(milliseconds)ms"
    }
}
