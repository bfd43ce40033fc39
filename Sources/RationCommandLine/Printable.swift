extension String {
    /// The text with what could rewrite a terminal made visible: control characters, line and paragraph separators, and
    /// what changes the direction of writing become `\u{…}`. For text that comes from services.
    public var printable: String {
        guard unicodeScalars.contains(where: Self.isUnprintable) else { return self }
        var text = ""
        for scalar in unicodeScalars {
            if Self.isUnprintable(scalar) {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        // Joiners, which emoji and several scripts need.
        case 0x200C, 0x200D: false
        default:
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
}
