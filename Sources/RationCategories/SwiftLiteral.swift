/// Text as a Swift string literal.
enum SwiftLiteral {
    /// One line that is the text again when it is compiled, whatever the text holds: nothing in it ends the literal, begins an
    /// interpolation, or shows a reader other text than there is.
    static func quoted(_ text: String) -> String {
        var literal = "\""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            switch scalar {
            case "\"", "\\": literal += "\\\(scalar)"
            case "\n": literal += "\\n"
            case "\t": literal += "\\t"
            default:
                guard isEscaped(scalar, isFirst: index == 0) else {
                    literal.unicodeScalars.append(scalar)
                    continue
                }
                literal += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return literal + "\""
    }

    /// What is not seen, what changes the direction of writing, and a mark that would sit on the quote before it.
    private static func isEscaped(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate: true
        // Joiners are a part of emoji and of several scripts.
        case .format: !(scalar == "\u{200C}" || scalar == "\u{200D}") || isFirst
        case .nonspacingMark, .spacingMark, .enclosingMark: isFirst
        case .spaceSeparator: scalar != " "
        default: false
        }
    }
}
