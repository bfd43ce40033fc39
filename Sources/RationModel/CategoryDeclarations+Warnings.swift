/// What declarations may say and is worth a word.
extension CategoryDeclarations {
    /// - Returns: by app and in the order of their declaration.
    public func warnings() -> [PolicyFault] {
        apps.flatMap { $0.warnings() }
    }
}

extension DeclaredApp {
    fileprivate func warnings() -> [PolicyFault] {
        var warnings: [PolicyFault] = []
        var folded: [String: String] = [:]
        var actions: [String: (action: NotificationAction, path: String)] = [:]
        for (index, category) in categories.enumerated() {
            let path = "\(app)[\(index)]"
            let name = NearestName.folded(category.identifier)
            if let near = folded[name] {
                warnings.append(
                    PolicyFault(
                        path: "\(path).identifier",
                        "'\(category.identifier.shortened)' is nearly '\(near.shortened)': intents name a category byte for byte"
                    ))
            }
            folded[name] = category.identifier
            category.warn(at: path, &warnings)
            for (index, action) in category.actions.enumerated() {
                let path = "\(path).actions[\(index)]"
                action.warn(at: path, besides: actions[action.identifier], &warnings)
                if actions[action.identifier] == nil { actions[action.identifier] = (action, path) }
            }
        }
        return warnings
    }
}

extension NotificationCategory {
    fileprivate func warn(at path: String, _ warnings: inout [PolicyFault]) {
        if actions.count > Limits.bannerActions {
            warnings.append(
                PolicyFault(
                    path: "\(path).actions",
                    "a banner shows the first \(Limits.bannerActions) of these \(actions.count) actions"))
        }
        if let summaryFormat, let found = PlaceholderFormat.stranger(in: summaryFormat, allowed: ["u", "@"]) {
            warnings.append(
                PolicyFault(
                    path: "\(path).summaryFormat",
                    "expected '%u', the number of notifications, '%@', their argument, or '%%', found '\(found)'"))
        }
        if let text = hiddenPreviewsBodyPlaceholder,
            let found = PlaceholderFormat.stranger(in: text, allowed: ["u"])
        {
            warnings.append(
                PolicyFault(
                    path: "\(path).hiddenPreviewsBodyPlaceholder",
                    "expected '%u', the number of notifications, or '%%', found '\(found)'"))
        }
    }
}

extension NotificationAction {
    /// An app gets an action's identifier alone: the same one with another meaning cannot be told apart.
    fileprivate func warn(
        at path: String, besides other: (action: NotificationAction, path: String)?, _ warnings: inout [PolicyFault]
    ) {
        guard let other, other.action != self else { return }
        warnings.append(
            PolicyFault(
                path: "\(path).identifier",
                "the action '\(identifier.shortened)' is another one at \(other.path); the app gets the identifier alone"
            ))
    }
}

/// Placeholders as the system's formats have them.
private enum PlaceholderFormat {
    /// The first `%` that starts no placeholder, with what follows it.
    /// - Parameter allowed: the letters of placeholders; a position, `%1$u`, may stand before.
    static func stranger(in text: String, allowed: Set<Unicode.Scalar>) -> String? {
        var rest = text.unicodeScalars[...]
        while let percent = rest.firstIndex(of: "%") {
            rest = rest[rest.index(after: percent)...]
            let whole = rest
            let digits = rest.prefix { $0.value >= 0x30 && $0.value <= 0x39 }
            if !digits.isEmpty, rest[digits.endIndex...].first == "$" {
                rest = rest[digits.endIndex...].dropFirst()
            }
            guard let letter = rest.first, allowed.contains(letter) || (letter == "%" && digits.isEmpty) else {
                return "%" + String(String.UnicodeScalarView(whole.prefix(digits.count + 1)))
            }
            rest = rest.dropFirst()
        }
        return nil
    }
}
