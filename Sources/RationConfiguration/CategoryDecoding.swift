import RationModel

/// Makes declarations of categories of a document's tree. What is refused is told and leaves something sound in its place, so
/// that indices stay those of the document and nothing is told twice.
struct CategoryDecoding {
    var decoding: Decoding
    /// The path of the declarations in their document: empty in a file of their own.
    let base: String
    /// Counts what stands for refused identifiers, so that no two are the same.
    private var refused = 0

    private static let categoryKeys =
        ["identifier", "actions", "intents"] + CategoryOptions.all.map(\.name)
        + ["hiddenPreviewsBodyPlaceholder", "summaryFormat"]
    private static let actionKeys = ["identifier", "title"] + ActionOptions.all.map(\.name) + ["icon", "textInput"]

    init(decoding: Decoding, base: String) {
        (self.decoding, self.base) = (decoding, base)
    }

    /// - Returns: the declarations, checked as a whole.
    mutating func declarations(_ root: YAMLNode) -> CategoryDeclarations {
        let faults = decoding.faults.count
        let apps = (decoding.entries(root, at: base, keepsNull: true) ?? []).map { entry in
            let path = DottedPath.joined(base, entry.key)
            decoding.remember(path, entry.place)
            return DeclaredApp(
                app: entry.key,
                categories: items(entry.value, at: path, of: "categories") { reader, item, path in
                    reader.category(item, at: path)
                })
        }
        let declarations = CategoryDeclarations(apps)
        for fault in declarations.faults() {
            decoding.refuseDecoded(DottedPath.joined(base, fault.path), root: root.place, fault.message)
        }
        guard decoding.faults.count == faults else { return declarations }
        for warning in declarations.warnings() {
            decoding.warnDecoded(DottedPath.joined(base, warning.path), root: root.place, warning.message)
        }
        return declarations
    }

    private mutating func category(_ node: YAMLNode, at path: String) -> NotificationCategory {
        let fields = decoding.fields(node, at: path, keys: Self.categoryKeys)
        var category = NotificationCategory(identifier: identifier(in: fields, of: node, at: path))
        if let entry = fields["actions"] {
            category.actions = items(entry.value, at: "\(path).actions", of: "actions") { reader, item, path in
                reader.action(item, at: path)
            }
        }
        if let entry = fields["intents"] {
            category.intents = items(entry.value, at: "\(path).intents", of: "intents") { reader, item, path in
                reader.decoding.text(item, at: path, expected: "an intent's identifier") ?? Self.stand
            }
        }
        for (name, option) in CategoryOptions.all where isSet(name, in: fields, at: path) {
            category.options.insert(option)
        }
        category.hiddenPreviewsBodyPlaceholder = text("hiddenPreviewsBodyPlaceholder", in: fields, at: path)
        category.summaryFormat = text("summaryFormat", in: fields, at: path)
        return category
    }

    private mutating func action(_ node: YAMLNode, at path: String) -> NotificationAction {
        let fields = decoding.fields(node, at: path, keys: Self.actionKeys)
        var action = NotificationAction(
            identifier: identifier(in: fields, of: node, at: path),
            title: required("title", in: fields, of: node, at: path) ?? Self.stand)
        for (name, option) in ActionOptions.all where isSet(name, in: fields, at: path) {
            action.options.insert(option)
        }
        if let entry = fields["icon"] { action.icon = icon(entry.value, at: "\(path).icon") }
        if let entry = fields["textInput"] { action.textInput = textInput(entry.value, at: "\(path).textInput") }
        return action
    }

    private mutating func icon(_ node: YAMLNode, at path: String) -> ActionIcon? {
        let fields = decoding.fields(node, at: path, keys: ["system", "template"])
        guard case .mapping = node.value else { return nil }
        guard fields.count == 1, let entry = fields.values.first else {
            decoding.refuse(
                node.place, at: path,
                "expected either 'system', a symbol's name, or 'template', the name of an image in the app")
            return nil
        }
        guard let name = text(entry.key, in: fields, at: path) else { return nil }
        return entry.key == "system" ? .system(name) : .template(name)
    }

    private mutating func textInput(_ node: YAMLNode, at path: String) -> NotificationAction.TextInput {
        let fields = decoding.fields(node, at: path, keys: ["buttonTitle", "placeholder"])
        return NotificationAction.TextInput(
            buttonTitle: required("buttonTitle", in: fields, of: node, at: path) ?? Self.stand,
            placeholder: text("placeholder", in: fields, at: path) ?? "")
    }
}

/// Single values.
extension CategoryDecoding {
    /// What stands for a refused text.
    private static let stand = "refused"

    private mutating func identifier(in fields: [String: YAMLEntry], of node: YAMLNode, at path: String) -> String {
        if let identifier = required("identifier", in: fields, of: node, at: path) { return identifier }
        refused += 1
        return "\(Self.stand) \(refused)"
    }

    private mutating func required(
        _ key: String, in fields: [String: YAMLEntry], of node: YAMLNode, at path: String
    ) -> String? {
        if fields[key] != nil { return text(key, in: fields, at: path) }
        // A node that is no mapping has been told as a whole.
        if case .mapping = node.value {
            decoding.refuse(node.place, at: "\(path).\(key)", "the key '\(key)' is missing")
        }
        return nil
    }

    private mutating func text(_ key: String, in fields: [String: YAMLEntry], at path: String) -> String? {
        fields[key].flatMap { decoding.text($0.value, at: "\(path).\(key)") }
    }

    private mutating func isSet(_ key: String, in fields: [String: YAMLEntry], at path: String) -> Bool {
        fields[key].flatMap { decoding.truth($0.value, at: "\(path).\(key)") } ?? false
    }

    /// The values of a list, each remembered by its index; `null` stands for an empty one.
    private mutating func items<Value>(
        _ node: YAMLNode, at path: String, of what: StaticString,
        _ reading: (inout CategoryDecoding, YAMLNode, String) -> Value
    ) -> [Value] {
        guard !node.isNull else { return [] }
        guard case .sequence(let items) = node.value else {
            decoding.refuse(node.place, at: path, "expected a list of \(what), found \(node.summary)")
            return []
        }
        return items.enumerated().map { index, item in
            let itemPath = "\(path)[\(index)]"
            decoding.remember(itemPath, item.place)
            return reading(&self, item, itemPath)
        }
    }
}
