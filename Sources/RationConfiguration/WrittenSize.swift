/// A size as configurations write it: a whole number of bytes, or one with `KiB`, `MiB`, `GiB` or `TiB`.
public enum WrittenSize {
    /// - Returns: bytes; nil for any other text, or one beyond the range of `Int`.
    public static func bytes(_ text: String) -> Int? {
        let digits = text.utf8.prefix { $0 >= 0x30 && $0 <= 0x39 }
        guard !digits.isEmpty, let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let factor: Int
        switch String(decoding: text.utf8.dropFirst(digits.count), as: UTF8.self) {
        case "": factor = 1
        case "KiB": factor = 1 << 10
        case "MiB": factor = 1 << 20
        case "GiB": factor = 1 << 30
        case "TiB": factor = 1 << 40
        default: return nil
        }
        let (product, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : product
    }

    /// The shortest text for a size.
    public static func text(_ bytes: Int) -> String {
        for (shift, unit) in [(30, "GiB"), (20, "MiB"), (10, "KiB")] where bytes > 0 && bytes % (1 << shift) == 0 {
            return "\(bytes >> shift)\(unit)"
        }
        return String(bytes)
    }
}
