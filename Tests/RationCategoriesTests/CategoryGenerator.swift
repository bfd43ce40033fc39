import Foundation
import RationModel
import TestSupport

/// Which generated declarations are tried: a few, since each is compiled; `RATION_SEEDS=N` tries more.
enum Seeds {
    static let all: [UInt64] = Array(
        0..<(ProcessInfo.processInfo.environment["RATION_SEEDS"].flatMap { UInt64($0) } ?? 2))
}

/// Declarations without faults, with whatever texts a file may hold.
struct CategoryGenerator {
    private var random: SplitMix64
    private let pieces: [String]
    private var identifiers: Set<String> = []
    private var actions: [NotificationAction] = []

    private static let pieces = [
        "a", "B", "new", "MESSAGE", "default", "self", "Type", "init", "\"", "\\", "\\(x)", "\\u{41}", "\"\"\"", "#\"",
        "*/", "//",
        "1", "-", "_", ".", " ", "é", "e\u{301}", "\u{301}", "日本", "👩‍👩‍👧", "\u{202E}", "\u{2028}", "\u{FEFF}", "$0", "`",
        "ß", "%@", "مرحبا",
        "\u{E000}", "\u{1F1E6}", "rawValue", "allCases", "none",
    ]

    /// - Parameter leavingOut: pieces that no text is made of.
    init(seed: UInt64, leavingOut: Set<String> = []) {
        random = SplitMix64(seed: seed)
        pieces = Self.pieces.filter { !leavingOut.contains($0) }
    }

    private mutating func text(controls: Bool = true) -> String {
        let pieces = controls ? self.pieces + ["\n", "\r", "\t", "\u{0}", "\u{1B}"] : self.pieces
        return (0..<Int.random(in: 1...4, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    private mutating func identifier() -> String {
        while true {
            let text = text(controls: false).trimmingCharacters(in: CharacterSet(charactersIn: " "))
            if !text.isEmpty, identifiers.insert(text).inserted { return text }
        }
    }

    private mutating func action() -> NotificationAction {
        var action = NotificationAction(identifier: identifier(), title: text())
        action.options = ActionOptions(rawValue: UInt8.random(in: 0...7, using: &random))
        switch Int.random(in: 0...3, using: &random) {
        case 0: action.icon = .system(text())
        case 1: action.icon = .template(text())
        default: break
        }
        if Bool.random(using: &random) {
            action.textInput = NotificationAction.TextInput(buttonTitle: text(), placeholder: text())
        }
        actions.append(action)
        return action
    }

    mutating func app() -> DeclaredApp {
        let categories = (0..<Int.random(in: 20...40, using: &random)).map { _ in
            var category = NotificationCategory(identifier: identifier())
            category.options = CategoryOptions(rawValue: UInt8.random(in: 0...15, using: &random))
            for _ in 0..<Int.random(in: 0...5, using: &random) {
                let old = Bool.random(using: &random) ? actions.randomElement(using: &random) : nil
                let new = old ?? action()
                guard !category.actions.contains(where: { $0.identifier == new.identifier }) else { continue }
                category.actions.append(new)
            }
            category.intents = (0..<Int.random(in: 0...2, using: &random)).map { _ in text() }
            category.summaryFormat = Bool.random(using: &random) ? text() : nil
            return category
        }
        return DeclaredApp(app: "com.example.app", categories: categories)
    }
}
