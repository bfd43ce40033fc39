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
}
