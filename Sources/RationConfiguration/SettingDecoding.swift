import RationModel

/// Makes settings of a document's values, and remembers where each stands.
struct SettingDecoding {
    var decoding: Decoding

    /// - Returns: nil for what is no setting's value; it is told.
    mutating func value(_ node: YAMLNode, at path: String) -> SettingValue? {
        decoding.remember(path, node.place)
        switch node.value {
        case .scalar(let scalar): return value(scalar, node, at: path)
        case .sequence(let items):
            let values = items.enumerated().map { index, item in value(item, at: "\(path)[\(index)]") }
            let taken = values.compactMap { $0 }
            return taken.count == values.count ? .list(taken) : nil
        case .mapping(let entries):
            // `null` counts as absent, as everywhere in a configuration.
            let present = entries.filter { !$0.value.isNull }
            let settings = present.map { setting($0, at: DottedPath.joined(path, $0.key)) }
            let taken = settings.compactMap { $0 }
            return taken.count == settings.count ? .mapping(taken) : nil
        }
    }

    /// - Parameter path: the whole path of the setting.
    mutating func setting(_ entry: YAMLEntry, at path: String) -> Setting? {
        value(entry.value, at: path).map { Setting(entry.key, $0) }
    }

    private mutating func value(_ scalar: YAMLScalar, _ node: YAMLNode, at path: String) -> SettingValue? {
        switch scalar.kind {
        case .text: return .text(scalar.text)
        case .truth: return .truth(scalar.text == "true")
        case .wholeNumber:
            if let number = Int64(scalar.text) { return .wholeNumber(number) }
            decoding.refuse(
                node.place, at: path, "expected a number from \(Int64.min) to \(Int64.max), found \(node.summary)")
        case .otherNumber:
            if let number = Double(scalar.text), number.isFinite { return .number(number) }
            decoding.refuse(node.place, at: path, "expected a decimal number such as 0.5, found \(node.summary)")
        case .null:
            decoding.refuse(node.place, at: path, "expected a value, found nothing")
        }
        return nil
    }
}
