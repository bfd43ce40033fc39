import RationModel

/// Takes values out of a document's tree and collects every fault on the way. `nil` from a reading function means:
/// absent, or refused and told.
struct Decoding {
    /// Faults of one file that are told; a file with more is no configuration at all.
    static let limitFaults = 1000

    let file: String
    private(set) var faults: [ConfigurationFault] = []
    private(set) var warnings: [ConfigurationFault] = []
    /// Where the value of a path stands, and the path as the document has it.
    private var places: [String: (place: YAMLPlace, path: String)] = [:]

    init(file: String) {
        self.file = file
    }

    mutating func refuse(_ place: YAMLPlace, at path: String, _ message: @autoclosure () -> String) {
        guard faults.count < Self.limitFaults else { return }
        faults.append(
            ConfigurationFault(file: file, line: place.line, column: place.column, path: path, message: message()))
    }

    mutating func add(_ more: [ConfigurationFault]) {
        faults += more
    }

    /// Remembers where a path stands, for faults that are found after decoding.
    /// - Parameter written: the path in the document, where what was refused has shifted the indices.
    mutating func remember(_ path: String, _ place: YAMLPlace, written: String? = nil) {
        places[path] = (place, written ?? path)
    }

    /// Tells a fault that was found in the decoded value.
    /// - Parameter root: the place for a path that does not stand in the document.
    mutating func refuseDecoded(_ path: String, root: YAMLPlace, _ message: String) {
        let known = places[path] ?? (root, path)
        refuse(known.place, at: known.path, Quoted.short(message, limit: 400))
    }

    /// Tells a fault at the place of its path, or of the nearest path above it that stands in the document.
    mutating func refuseBelow(_ path: String, root: YAMLPlace, _ message: String) {
        var known = path[...]
        while places[String(known)] == nil, let end = known.lastIndex(where: { $0 == "." || $0 == "[" }) {
            known = known[..<end]
        }
        refuse(places[String(known)]?.place ?? root, at: path, Quoted.short(message, limit: 400))
    }

    /// Tells what is worth a warning in the decoded value.
    mutating func warnDecoded(_ path: String, root: YAMLPlace, _ message: String) {
        let known = places[path] ?? (root, path)
        warnings.append(
            ConfigurationFault(
                file: file, line: known.place.line, column: known.place.column, path: known.path, message: message))
    }

    /// All faults in the order of the lines.
    func sorted() -> [ConfigurationFault] {
        let order = faults.indices.sorted { left, right in
            let (first, second) = (faults[left], faults[right])
            return (first.line, first.column, left) < (second.line, second.column, right)
        }
        return order.map { faults[$0] }
    }

    /// The entries of a mapping, in their order.
    /// - Parameter keepsNull: whether those with null values are left in.
    mutating func entries(_ node: YAMLNode, at path: String, keepsNull: Bool = false) -> [YAMLEntry]? {
        guard case .mapping(let entries) = node.value else {
            refuse(node.place, at: path, "expected a mapping, found \(node.summary)")
            return nil
        }
        return keepsNull ? entries : entries.filter { !$0.value.isNull }
    }

    /// The entries of a mapping whose keys are known, by key; others are told with their nearest neighbour.
    mutating func fields(_ node: YAMLNode, at path: String, keys: [String]) -> [String: YAMLEntry] {
        guard case .mapping(let entries) = node.value else {
            refuse(node.place, at: path, "expected a mapping, found \(node.summary)")
            return [:]
        }
        var fields: [String: YAMLEntry] = [:]
        for entry in entries {
            let entryPath = DottedPath.joined(path, entry.key)
            guard keys.contains(entry.key) else {
                refuse(entry.place, at: entryPath, Spelling.unknown("key", entry.key, among: keys))
                continue
            }
            guard !entry.value.isNull else { continue }
            remember(entryPath, entry.value.place)
            fields[entry.key] = entry
        }
        return fields
    }

    mutating func text(_ node: YAMLNode, at path: String, expected: String = "a text") -> String? {
        if case .scalar(let scalar) = node.value, scalar.kind == .text { return scalar.text }
        refuse(node.place, at: path, "expected \(expected), found \(node.summary)")
        return nil
    }

    mutating func wholeNumber(_ node: YAMLNode, at path: String) -> Int? {
        if case .scalar(let scalar) = node.value, scalar.kind == .wholeNumber, let number = Int(scalar.text) {
            return number
        }
        refuse(node.place, at: path, "expected a whole number, found \(node.summary)")
        return nil
    }

    /// A text that stands for a value.
    mutating func text<Value>(
        _ node: YAMLNode, at path: String, expected: String, _ value: (String) -> Value?
    ) -> Value? {
        guard let text = text(node, at: path, expected: expected) else { return nil }
        guard let value = value(text) else {
            refuse(node.place, at: path, "expected \(expected), found \(node.summary)")
            return nil
        }
        return value
    }

    /// - Returns: milliseconds.
    mutating func duration(_ node: YAMLNode, at path: String, in range: ClosedRange<Int64>) -> Int64? {
        let ends = [range.lowerBound, range.upperBound].map(WrittenDuration.text)
        return text(node, at: path, expected: "a duration from \(ends[0]) to \(ends[1]), such as 90s") { text in
            WrittenDuration.milliseconds(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    mutating func wholeNumber(_ node: YAMLNode, at path: String, in range: ClosedRange<Int>) -> Int? {
        guard let number = wholeNumber(node, at: path) else { return nil }
        if range.contains(number) { return number }
        refuse(
            node.place, at: path,
            "expected a whole number from \(range.lowerBound) to \(range.upperBound), found \(number)")
        return nil
    }

    /// A list of texts, each checked by itself.
    mutating func texts(
        _ node: YAMLNode, at path: String, most: Int, expected: String, _ isTaken: (String) -> Bool
    ) -> [String] {
        guard case .sequence(let items) = node.value else {
            refuse(node.place, at: path, "expected a list, found \(node.summary)")
            return []
        }
        guard items.count <= most else {
            refuse(node.place, at: path, "expected a list of at most \(most), found \(items.count)")
            return []
        }
        return items.enumerated().compactMap { index, item in
            text(item, at: "\(path)[\(index)]", expected: expected) { isTaken($0) ? $0 : nil }
        }
    }

    mutating func truth(_ node: YAMLNode, at path: String) -> Bool? {
        if case .scalar(let scalar) = node.value, scalar.kind == .truth { return scalar.text == "true" }
        refuse(node.place, at: path, "expected true or false, found \(node.summary)")
        return nil
    }
}

/// Paths as faults tell them: `types.habit.prefix[0]`.
enum DottedPath {
    static func joined(_ path: String, _ key: String) -> String {
        path.isEmpty ? key : "\(path).\(key)"
    }

    /// - Parameter parts: keys and `[0]`.
    static func joined(_ parts: [String]) -> String {
        parts.reduce("") { path, part in part.hasPrefix("[") ? path + part : joined(path, part) }
    }
}
