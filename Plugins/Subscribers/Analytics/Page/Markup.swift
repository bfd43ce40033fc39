/// Text as HTML and SVG take it.
enum Markup {
    /// The text with everything escaped that could begin markup or end an attribute; control characters are left out.
    static func text(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// A length in a drawing, with at most two digits behind the point.
    static func length(_ value: Double) -> String {
        // A drawing is some hundreds of units wide; what is no number draws nothing.
        guard value.isFinite, value.magnitude < 1e9 else { return "0" }
        let hundredths = Int((value * 100).rounded())
        let (whole, rest) = (hundredths.magnitude / 100, hundredths.magnitude % 100)
        let sign = hundredths < 0 ? "-" : ""
        if rest == 0 { return "\(sign)\(whole)" }
        return rest % 10 == 0 ? "\(sign)\(whole).\(rest / 10)" : "\(sign)\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// Numbers, times and spans for people. The command's tables use them, too.
public enum Wording {
    /// With commas: `1,234,567`.
    public static func number(_ number: Int64) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// With one digit behind the point: `12.5 %`.
    public static func percent(_ value: Double) -> String {
        let tenths = Int64((min(max(value, 0), 1e6) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// In the largest unit that fits: `350 ms`, `12 s`, `5 min`, `3.5 h`, `2.1 d`.
    public static func span(_ milliseconds: Int64) -> String {
        switch milliseconds {
        case ..<1_000: "\(milliseconds) ms"
        case ..<60_000: tenths(milliseconds, 1_000, "s")
        case ..<3_600_000: tenths(milliseconds, 60_000, "min")
        case ..<86_400_000: tenths(milliseconds, 3_600_000, "h")
        default: tenths(milliseconds, 86_400_000, "d")
        }
    }

    private static func tenths(_ milliseconds: Int64, _ unit: Int64, _ name: String) -> String {
        let tenths = milliseconds / (unit / 10)
        return tenths % 10 == 0 ? "\(tenths / 10) \(name)" : "\(tenths / 10).\(tenths % 10) \(name)"
    }

    /// Of an RFC 3339 date in UTC: `2026-11-30 08:00`.
    public static func minute(_ rfc3339: String) -> String {
        String(rfc3339.prefix(16)).map { $0 == "T" ? " " : "\($0)" }.joined()
    }
}
