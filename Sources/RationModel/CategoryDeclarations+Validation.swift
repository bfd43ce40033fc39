/// What Apple demands of categories (UNNotificationCategory, UNNotificationAction), and limits of our own.
extension CategoryDeclarations {
    /// Checks all apps.
    /// - Returns: all faults, by app and in the order of their declaration; none for declarations that can be used. A path
    ///   is `app[1].actions[0].title`.
    public func faults() -> [PolicyFault] {
        var faults: [PolicyFault] = []
        faults.checkCount(apps.count, atMost: Limits.declaredApps, of: "apps", at: "")
        for app in apps.prefix(Limits.declaredApps) { app.check(&faults) }
        return faults
    }
}

extension DeclaredApp {
    fileprivate func check(_ faults: inout [PolicyFault]) {
        var name = app
        if !name.withUTF8({ Name.isPlain(UnsafeRawBufferPointer($0), limit: Limits.appBytes) }) {
            faults.append(
                PolicyFault(
                    path: app,
                    "expected an app of 1 to \(Limits.appBytes) letters, digits, '.', '-' or '_', found '\(app.shortened)'"
                ))
        }
        faults.checkCount(categories.count, atMost: Limits.declaredCategories, of: "categories", at: app)
        var names = DeclaredNames("category")
        for (index, category) in categories.prefix(Limits.declaredCategories).enumerated() {
            let path = "\(app)[\(index)]"
            names.add(category.identifier, limit: Limits.categoryBytes, at: "\(path).identifier", &faults)
            category.check(at: path, &faults)
        }
        checkSpellings(&faults)
    }

    /// The same action may stand in several categories, but not in two spellings that an app takes for the same.
    private func checkSpellings(_ faults: inout [PolicyFault]) {
        // `String` compares as Unicode does.
        var spellings: [String: (identifier: String, path: String)] = [:]
        for (index, category) in categories.prefix(Limits.declaredCategories).enumerated() {
            for (place, action) in category.actions.prefix(Limits.categoryActions).enumerated() {
                let path = "\(app)[\(index)].actions[\(place)].identifier"
                let (first, at) = spellings[action.identifier] ?? (action.identifier, path)
                spellings[action.identifier] = (first, at)
                guard !first.utf8.elementsEqual(action.identifier.utf8), !at.hasPrefix("\(app)[\(index)].") else {
                    continue
                }
                faults.append(
                    PolicyFault(
                        path: path,
                        "expected the bytes of the action '\(first.shortened)' at \(at), found others that Unicode calls equivalent"
                    ))
            }
        }
    }
}

extension NotificationCategory {
    fileprivate func check(at path: String, _ faults: inout [PolicyFault]) {
        faults.checkCount(actions.count, atMost: Limits.categoryActions, of: "actions", at: "\(path).actions")
        var names = DeclaredNames("action")
        for (index, action) in actions.prefix(Limits.categoryActions).enumerated() {
            let path = "\(path).actions[\(index)]"
            names.add(action.identifier, limit: Limits.actionBytes, at: "\(path).identifier", &faults)
            action.check(at: path, &faults)
        }
        faults.checkCount(intents.count, atMost: Limits.categoryIntents, of: "intents", at: "\(path).intents")
        for (index, intent) in intents.prefix(Limits.categoryIntents).enumerated() {
            faults.checkText(intent, limit: Limits.actionBytes, at: "\(path).intents[\(index)]")
        }
        for (key, text) in [
            ("hiddenPreviewsBodyPlaceholder", hiddenPreviewsBodyPlaceholder), ("summaryFormat", summaryFormat),
        ] {
            guard let text else { continue }
            faults.checkText(text, limit: Limits.categoryTextBytes, at: "\(path).\(key)")
        }
    }
}

extension NotificationAction {
    fileprivate func check(at path: String, _ faults: inout [PolicyFault]) {
        faults.checkText(title, limit: Limits.categoryTextBytes, at: "\(path).title")
        if let icon { faults.checkText(icon.name, limit: Limits.actionBytes, at: "\(path).icon") }
        guard let textInput else { return }
        faults.checkText(
            textInput.buttonTitle, limit: Limits.categoryTextBytes, at: "\(path).textInput.buttonTitle")
        faults.checkText(
            textInput.placeholder, orEmpty: true, limit: Limits.categoryTextBytes,
            at: "\(path).textInput.placeholder")
    }
}

/// Identifiers of one kind that must differ.
///
/// Two that Unicode calls equivalent are refused, too: their bytes differ, but a Swift `String`, and so an app, takes the
/// one for the other.
private struct DeclaredNames {
    private let kind: String
    /// By its text: `String` compares as Unicode does.
    private var places: [String: String] = [:]

    init(_ kind: String) {
        self.kind = kind
    }

    mutating func add(_ name: String, limit: Int, at path: String, _ faults: inout [PolicyFault]) {
        var bytes = name
        guard bytes.withUTF8({ Name.isText(UnsafeRawBufferPointer($0), limit: limit, slashAllowed: true) }) else {
            let found = name.isEmpty ? "an empty text" : "'\(name.shortened)', \(name.utf8.count) bytes"
            faults.append(
                PolicyFault(
                    path: path,
                    "expected 1 to \(limit) bytes without control characters or spaces at the ends, found \(found)"))
            return
        }
        guard let first = places[name] else {
            places[name] = path
            return
        }
        faults.append(
            PolicyFault(path: path, "expected another identifier, the \(kind) '\(name.shortened)' stands at \(first)"))
    }
}

extension [PolicyFault] {
    fileprivate mutating func checkText(_ text: String, orEmpty: Bool = false, limit: Int, at path: String) {
        let least = orEmpty ? 0 : 1
        guard text.utf8.count < least || text.utf8.count > limit else { return }
        append(
            PolicyFault(path: path, "expected a text of \(least) to \(limit) bytes, found \(text.utf8.count) bytes"))
    }
}
