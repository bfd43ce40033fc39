/// Builds the tree of a document from libyaml's events, and keeps the limits on the way.
struct YAMLTree: ~Copyable {
    /// What an anchor names: the node, and how many nodes it holds.
    private struct Anchored {
        var node: YAMLNode
        var count: Int
    }

    private let file: String
    private var events: YAMLEvents
    private var anchors: [String: Anchored] = [:]
    private var count = 0
    private var path: [String] = []
    private var faults: [ConfigurationFault] = []

    /// Reads a text that is known to be UTF-8.
    static func document(
        _ bytes: UnsafeBufferPointer<UInt8>, file: String
    ) throws(ConfigurationFaults) -> YAMLDocument {
        do throws(YAMLEvents.Failure) {
            var tree = YAMLTree(events: try YAMLEvents(bytes), file: file)
            return try tree.document()
        } catch {
            throw ConfigurationFaults([Self.fault(error, bytes, file)])
        }
    }

    private init(events: consuming YAMLEvents, file: String) {
        self.events = events
        self.file = file
    }

    private static func fault(
        _ failure: YAMLEvents.Failure, _ bytes: UnsafeBufferPointer<UInt8>, _ file: String
    ) -> ConfigurationFault {
        let place = failure.place ?? YAMLDocument.place(ofByte: failure.offset, in: bytes)
        return ConfigurationFault(file: file, line: place.line, column: place.column, message: failure.message)
    }

    private mutating func document() throws(YAMLEvents.Failure) -> YAMLDocument {
        _ = try events.next()
        let start = try events.next()
        guard case .documentStart = start.kind else {
            throw YAMLEvents.Failure(message: "expected a mapping, found an empty file", place: start.place)
        }
        let root = try node(of: try events.next(), depth: 1)
        _ = try events.next()
        let end = try events.next()
        guard case .streamEnd = end.kind else {
            throw YAMLEvents.Failure(message: "expected one document, found a second one", place: end.place)
        }
        return YAMLDocument(root: root, faults: faults)
    }

    /// The node that begins with an event.
    private mutating func node(of event: YAMLEvents.Event, depth: Int) throws(YAMLEvents.Failure) -> YAMLNode {
        if case .alias = event.kind { return try aliased(event, depth: depth) }
        let before = count
        try visit(1, event.place)
        try checkDepth(depth, event.place)
        var node = YAMLNode(value: .sequence([]), place: event.place, height: 1)
        switch event.kind {
        case .sequenceStart:
            try checkTag(event, is: "seq")
            try fillSequence(&node, depth: depth)
        case .mappingStart:
            try checkTag(event, is: "map")
            try fillMapping(&node, depth: depth)
        case .scalar(let text, let isPlain):
            node.value = .scalar(try scalar(text, isPlain: isPlain, event))
        default:
            throw YAMLEvents.Failure(message: "expected a value", place: event.place)
        }
        if let anchor = event.anchor { anchors[anchor] = Anchored(node: node, count: count - before) }
        return node
    }

    private mutating func aliased(_ event: YAMLEvents.Event, depth: Int) throws(YAMLEvents.Failure) -> YAMLNode {
        let name = event.anchor ?? ""
        guard let anchored = anchors[name] else {
            throw YAMLEvents.Failure(message: "unknown alias '*\(Quoted.short(name))'", place: event.place)
        }
        try visit(anchored.count, event.place)
        try checkDepth(depth + anchored.node.height - 1, event.place)
        return anchored.node
    }

    private mutating func fillSequence(_ node: inout YAMLNode, depth: Int) throws(YAMLEvents.Failure) {
        var items: [YAMLNode] = []
        while true {
            let event = try events.next()
            if case .sequenceEnd = event.kind { break }
            path.append("[\(items.count)]")
            items.append(try self.node(of: event, depth: depth + 1))
            path.removeLast()
        }
        node.height = 1 + (items.lazy.map(\.height).max() ?? 0)
        node.value = .sequence(items)
    }

    private mutating func fillMapping(_ node: inout YAMLNode, depth: Int) throws(YAMLEvents.Failure) {
        var entries: [YAMLEntry] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try events.next()
            if case .mappingEnd = event.kind { break }
            let key = try key(of: event, depth: depth + 1)
            path.append(key)
            let value = try self.node(of: try events.next(), depth: depth + 1)
            if let line = lines[key] {
                tellTwice(key, line, event.place)
            } else {
                lines[key] = event.place.line
                entries.append(YAMLEntry(key: key, place: event.place, value: value))
            }
            path.removeLast()
        }
        node.height = 1 + (entries.lazy.map(\.value.height).max() ?? 0)
        node.value = .mapping(entries)
    }

    private mutating func key(of event: YAMLEvents.Event, depth: Int) throws(YAMLEvents.Failure) -> String {
        let node = try node(of: event, depth: depth)
        guard case .scalar(let scalar) = node.value else {
            throw YAMLEvents.Failure(message: "expected a name as key, found \(node.summary)", place: event.place)
        }
        return scalar.text
    }

    private mutating func tellTwice(_ key: String, _ line: Int, _ place: YAMLPlace) {
        guard faults.count < Decoding.limitFaults else { return }
        faults.append(
            ConfigurationFault(
                file: file, line: place.line, column: place.column, path: DottedPath.joined(path),
                message: "the key '\(Quoted.short(key))' stands here twice, first on line \(line)"))
    }

    private mutating func visit(_ nodes: Int, _ place: YAMLPlace) throws(YAMLEvents.Failure) {
        count += nodes
        guard count <= YAMLDocument.limitNodes else {
            throw YAMLEvents.Failure(
                message: "expected at most \(YAMLDocument.limitNodes) values, aliases counted as what they stand for",
                place: place)
        }
    }

    private func checkDepth(_ depth: Int, _ place: YAMLPlace) throws(YAMLEvents.Failure) {
        guard depth <= YAMLDocument.limitDepth else {
            throw YAMLEvents.Failure(message: "nested deeper than \(YAMLDocument.limitDepth) levels", place: place)
        }
    }

    /// Without a tag, quotes make a text; a tag of the core schema decides in their place.
    private func scalar(
        _ text: String, isPlain: Bool, _ event: YAMLEvents.Event
    ) throws(YAMLEvents.Failure) -> YAMLScalar {
        switch event.tag {
        case nil: return YAMLScalar(text, isPlain: isPlain)
        case "!", Self.core + "str": return YAMLScalar(text, isPlain: false)
        case Self.core + "int", Self.core + "float", Self.core + "bool", Self.core + "null":
            return YAMLScalar(text, isPlain: true)
        default: throw Self.unknownTag(event)
        }
    }

    private func checkTag(_ event: YAMLEvents.Event, is name: String) throws(YAMLEvents.Failure) {
        guard event.tag == nil || event.tag == "!" || event.tag == Self.core + name else {
            throw Self.unknownTag(event)
        }
    }

    private static let core = "tag:yaml.org,2002:"

    private static func unknownTag(_ event: YAMLEvents.Event) -> YAMLEvents.Failure {
        YAMLEvents.Failure(message: "the tag '\(Quoted.short(event.tag ?? ""))' is not taken here", place: event.place)
    }
}
