import RationModel

/// The types that a policy names anywhere, by name and by prefix, on bytes. A type's place is its place by name.
public struct PolicyTypes: Sendable {
    private let names: [UInt8]
    private let types: [Entry]
    /// All prefixes, sorted by their bytes.
    private let prefixes: [(bytes: ByteRange, type: TypeIndex)]
    private let unknownName: ByteRange
    private let unnamed: Entry

    private struct Entry {
        var name: ByteRange
        var priority: Int32
        var keepsTime: Bool
        /// Milliseconds; `.max` without a limit.
        var maxDelay: Int64
    }

    /// The place of a type that the policy does not name.
    public static let unnamed: TypeIndex = .max

    init(_ policy: Policy) {
        var names = ByteArena()
        unknownName = names.append("unknown")
        let priority = Int32(clamping: policy.unknownPriority)
        let maxDelay = policy.maxDelayMilliseconds ?? .max
        unnamed = Entry(name: unknownName, priority: priority, keepsTime: false, maxDelay: maxDelay)
        let all = Self.allTypes(of: policy)
        types = all.map { type in
            Entry(
                name: names.append(type.name), priority: type.priority.map { Int32(clamping: $0) } ?? priority,
                keepsTime: type.keepsTime, maxDelay: type.maxDelayMilliseconds ?? maxDelay)
        }
        var found: [(text: String, type: TypeIndex)] = []
        for (index, type) in all.enumerated() {
            found += type.prefixes.map { ($0, TypeIndex(truncatingIfNeeded: index)) }
        }
        found.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        prefixes = found.map { (names.append($0.text), $0.type) }
        self.names = names.bytes
    }

    /// The policy's types and those that only its rules or quotas name, by name.
    private static func allTypes(of policy: Policy) -> [NotificationType] {
        let added = policy.typeNames.subtracting(policy.types.map { Array($0.name.utf8) })
        let types = policy.types + added.map { NotificationType(name: String(decoding: $0, as: UTF8.self)) }
        return types.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// How many types are named: their places are below.
    public var count: Int { types.count }

    /// The place of a type; `unnamed` if the policy does not name it.
    public func index(ofType name: String) -> TypeIndex {
        var name = name
        return name.withUTF8 { index(ofType: UnsafeRawBufferPointer($0)) }
    }

    /// The name of a type, in UTF-8.
    /// - Parameter type: below `count`.
    public func name(of type: TypeIndex) -> [UInt8] {
        with(types[Int(type)].name) { Array($0) }
    }

    /// Lends the bytes of a name.
    @inline(__always)
    private func with<Result>(_ range: ByteRange, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        names.withUnsafeBytes { body($0.view(range)) }
    }

    @inline(__always)
    private func entry(_ type: TypeIndex) -> Entry {
        type == Self.unnamed ? unnamed : types[Int(type)]
    }

    func priority(_ type: TypeIndex) -> Int32 { entry(type).priority }
    func keepsTime(_ type: TypeIndex) -> Bool { entry(type).keepsTime }
    /// Milliseconds; `.max` without a limit.
    func maxDelay(_ type: TypeIndex) -> Int64 { entry(type).maxDelay }

    /// Lends the name of a type as classified.
    /// - Parameter own: the name that the intent gave, for one that the policy does not name.
    @inline(__always)
    func withName<Result>(
        _ type: TypeIndex, own: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if type != Self.unnamed { return with(types[Int(type)].name, body) }
        return own.isEmpty ? with(unknownName, body) : body(own)
    }

    /// The type of a notification: the one that the intent names, else the one with the longest prefix of the id, else
    /// `unknown` (semantics.md section 3).
    func classify(type: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> TypeIndex {
        if !type.isEmpty { return index(ofType: type) }
        if let byPrefix = longestPrefix(of: id) { return byPrefix }
        return with(unknownName) { index(ofType: $0) }
    }

    func index(ofType name: UnsafeRawBufferPointer) -> TypeIndex {
        var low = 0
        var high = types.count
        while low < high {
            let middle = (low + high) / 2
            let order = with(types[middle].name) { Name.compare($0, name) }
            if order == 0 { return TypeIndex(truncatingIfNeeded: middle) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return Self.unnamed
    }

    /// Narrows the sorted prefixes byte by byte: those that share the id's first bytes lie side by side, the one that
    /// ends there first among them.
    private func longestPrefix(of id: UnsafeRawBufferPointer) -> TypeIndex? {
        var (low, high) = (0, prefixes.count)
        var longest: TypeIndex?
        names.withUnsafeBytes { bytes in
            for depth in 0...id.count where low < high {
                if Int(prefixes[low].bytes.count) == depth {
                    longest = prefixes[low].type
                    low += 1
                }
                guard depth < id.count else { break }
                func isBelow(_ index: Int, _ limit: Int) -> Bool {
                    Int(bytes[Int(prefixes[index].bytes.offset) + depth]) < limit
                }
                low = partition(low, high) { isBelow($0, Int(id[depth])) }
                high = partition(low, high) { isBelow($0, Int(id[depth]) + 1) }
            }
        }
        return longest
    }

    /// The first place in `low..<high` for which `isBelow` no longer holds.
    private func partition(_ low: Int, _ high: Int, _ isBelow: (Int) -> Bool) -> Int {
        var (low, high) = (low, high)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(middle) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
