import RationModel

/// Quiet hours, caps and quotas. What is refused is told and leaves something sound in its place, so that indices stay
/// those of the document and nothing is told twice.
extension PolicyDecoding {
    private static let windowKeys = ["from", "to", "days", "types", "exempt"]
    private static let capKeys = ["limit", "per", "types", "overflow", "exempt"]
    private static let quotaKeys = ["min", "max"]

    mutating func quietHours(_ node: YAMLNode, at path: String) -> [QuietWindow] {
        items(node, at: path, of: "windows") { reader, item, path in reader.window(item, at: path) }
    }

    mutating func caps(_ node: YAMLNode, at path: String) -> [Cap] {
        items(node, at: path, of: "caps") { reader, item, path in reader.cap(item, at: path) }
    }

    mutating func quotas(_ node: YAMLNode, at path: String) -> [Quota] {
        (decoding.entries(node, at: path) ?? []).map { entry in
            let quotaPath = DottedPath.joined(path, entry.key)
            decoding.remember(quotaPath, entry.place)
            var quota = Quota(type: entry.key)
            let fields = decoding.fields(entry.value, at: quotaPath, keys: Self.quotaKeys)
            read(fields["min"], into: &quota.minimum, under: quotaPath, Self.share)
            read(fields["max"], into: &quota.maximum, under: quotaPath, Self.share)
            return quota
        }
    }

    private mutating func window(_ node: YAMLNode, at path: String) -> QuietWindow {
        let fields = decoding.fields(node, at: path, keys: Self.windowKeys)
        let from = required("from", in: fields, of: node, at: path, Self.time)
        let to = required("to", in: fields, of: node, at: path, Self.time)
        var window = QuietWindow(from: 0, to: 1)
        read(fields["days"], into: &window.days, under: path, Self.days)
        read(fields["types"], into: &window.types, under: path, Self.names)
        read(fields["exempt"], into: &window.exempt, under: path, Self.levels)
        if let from, let to {
            (window.from, window.to) = (from, to)
        } else {
            window.days = []
        }
        return window
    }

    private mutating func cap(_ node: YAMLNode, at path: String) -> Cap {
        let fields = decoding.fields(node, at: path, keys: Self.capKeys)
        let limit = required("limit", in: fields, of: node, at: path, Self.wholeNumber)
        let per = required("per", in: fields, of: node, at: path, Self.duration)
        var cap = Cap(limit: limit ?? 1, perMilliseconds: per ?? 1)
        read(fields["types"], into: &cap.types, under: path, Self.names)
        read(fields["overflow"], into: &cap.overflow, under: path, Self.word)
        read(fields["exempt"], into: &cap.exempt, under: path, Self.levels)
        return cap
    }

    /// The value of a key that must be there.
    private mutating func required<Value>(
        _ key: String, in fields: [String: YAMLEntry], of node: YAMLNode, at path: String, _ reading: Reading<Value>
    ) -> Value? {
        let keyPath = DottedPath.joined(path, key)
        if let entry = fields[key] { return reading(&self, entry.value, keyPath) }
        // A node that is no mapping has been told as a whole.
        if case .mapping = node.value { decoding.refuse(node.place, at: keyPath, "the key '\(key)' is missing") }
        return nil
    }

    /// The values of a list, each remembered by its index.
    private mutating func items<Value>(
        _ node: YAMLNode, at path: String, of what: StaticString,
        _ reading: (inout PolicyDecoding, YAMLNode, String) -> Value
    ) -> [Value] {
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

    private static func names(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> [String]? {
        reader.items(node, at: path, of: "types") { reader, item, path in
            reader.decoding.text(item, at: path, expected: "a type's name") ?? "refused"
        }
    }

    private static func days(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> WeekdaySet? {
        let expected = "one of " + WeekdaySet.names.map { "\($0)" }.joined(separator: ", ")
        let days = reader.items(node, at: path, of: "days") { reader, item, path in
            reader.text(item, at: path, expected: expected) { WeekdaySet(name: $0) } ?? []
        }
        return WeekdaySet(days)
    }

    private static func levels(_ reader: inout PolicyDecoding, _ node: YAMLNode, _ path: String) -> LevelSet? {
        let expected = "one of " + InterruptionLevel.allCases.map { "\($0.name)" }.joined(separator: ", ")
        let levels = reader.items(node, at: path, of: "levels") { reader, item, path in
            reader.text(item, at: path, expected: expected) { InterruptionLevel(name: $0) }.map { LevelSet($0) } ?? []
        }
        return levels.reduce(into: []) { $0.formUnion($1) }
    }
}
