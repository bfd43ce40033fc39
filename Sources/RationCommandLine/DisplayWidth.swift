/// How many columns a text takes on a terminal: marks that combine take none, East Asian wide characters and emoji
/// two (Unicode, UAX #11), escape sequences of colours none.
public enum DisplayWidth {
    public static func of(_ text: String) -> Int {
        var escape = false
        var width = 0
        for scalar in text.unicodeScalars {
            if escape {
                escape = scalar != "m"
            } else if scalar == "\u{1B}" {
                escape = true
            } else {
                width += of(scalar)
            }
        }
        return width
    }

    /// The text with spaces behind it.
    public static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - of(text)))
    }

    /// The text, cut with `…` to fit. Colours are left out of a text that is cut, since their end would be too.
    public static func cut(_ text: String, to width: Int) -> String {
        guard width > 0, of(text) > width else { return text }
        var result = ""
        var used = 0
        var escape = false
        for scalar in text.unicodeScalars {
            if escape || scalar == "\u{1B}" {
                escape = scalar != "m"
                continue
            }
            used += of(scalar)
            guard used < width else { break }
            result.unicodeScalars.append(scalar)
        }
        return result + "…"
    }

    private static func of(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: break
        }
        switch scalar.value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
