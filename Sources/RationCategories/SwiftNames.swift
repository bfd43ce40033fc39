/// Gives identifiers names that are Swift's, each another one.
struct SwiftNames {
    /// What the names are of, `category`: what a name is made of where an identifier has no letter for it.
    private let kind: String
    private var taken: Set<String> = []

    init(of kind: String) {
        self.kind = kind
    }

    /// The name for the next identifier: its words in lower camel case, `NEW_MESSAGE` as `newMessage`. The same identifiers in
    /// the same order get the same names.
    mutating func name(for identifier: String) -> String {
        var base = Self.joined(Self.words(of: identifier))
        if base.isEmpty { base = kind }
        if Self.reserved.contains(base) { base += Self.capitalized(kind) }
        var name = base
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(base)_\(number)"
        }
        return name
    }

    private static func words(of identifier: String) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in identifier.unicodeScalars {
            if isPart(scalar, isFirst: word.isEmpty) {
                word.unicodeScalars.append(scalar)
            } else if !word.isEmpty {
                words.append(word)
                word = ""
            }
        }
        return word.isEmpty ? words : words + [word]
    }

    /// Letters, digits, and marks on letters: all of them may stand in a Swift identifier.
    private static func isPart(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        case .decimalNumber: scalar.isASCII
        case .nonspacingMark, .spacingMark: !isFirst
        default: false
        }
    }

    private static func joined(_ words: [String]) -> String {
        guard let first = words.first else { return "" }
        let name =
            uncapitalized(first)
            + words.dropFirst().map { isShouted($0) ? capitalized($0.lowercased()) : capitalized($0) }.joined()
        return name.utf8.first.map { $0 >= 0x30 && $0 <= 0x39 } ?? false ? "_" + name : name
    }

    /// Whether a word has capitals only.
    private static func isShouted(_ word: String) -> Bool {
        word == word.uppercased() && word != word.lowercased()
    }

    private static func capitalized(_ word: String) -> String {
        word.prefix(1).uppercased() + word.dropFirst()
    }

    /// `URLOpened` as `urlOpened`.
    private static func uncapitalized(_ word: String) -> String {
        if isShouted(word) { return word.lowercased() }
        let capitals = word.prefix { $0.isUppercase }.count
        let count = capitals > 1 ? capitals - 1 : capitals
        return word.prefix(count).lowercased() + word.dropFirst(count)
    }

    /// Keywords, and what an enumeration has already.
    private static let reserved: Set<String> = [
        "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit", "do",
        "else",
        "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import", "in",
        "init",
        "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol", "public",
        "repeat",
        "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
        "try",
        "typealias", "var", "where", "while", "allCases", "hashValue", "none", "rawValue", "some",
    ]
}
