public import RationModel

/// A policy with what the planner looks up for each notification: types by name and by prefix, on bytes.
public final class CompiledPolicy: Sendable {
    public let policy: Policy
    public let order: any Order
    private let names: [UInt8]
    /// By place in `policy.types`, which is sorted by name.
    private let types: [CompiledType]
    /// All prefixes, sorted by their bytes.
    private let prefixes: [(bytes: ByteRange, type: UInt16)]
    private let unknownName: ByteRange

    private struct CompiledType {
        var name: ByteRange
        var priority: Int32
        var keepsTime: Bool
        var maxDelay: Int64
    }

    /// The place of a type that the policy does not name.
    static let unnamedType: UInt16 = .max

    /// - Parameters:
    ///   - policy: one without faults.
    ///   - order: the order that the policy names.
    public init(_ policy: Policy, order: any Order) {
        self.policy = policy
        self.order = order
        var names = ByteArena()
        unknownName = names.append("unknown")
        types = policy.types.map { type in
            CompiledType(
                name: names.append(type.name),
                priority: Int32(clamping: type.priority ?? policy.unknownPriority), keepsTime: type.keepsTime,
                maxDelay: type.maxDelayMilliseconds ?? policy.maxDelayMilliseconds ?? .max)
        }
        var found: [(text: String, type: UInt16)] = []
        for (index, type) in policy.types.enumerated() {
            found += type.prefixes.map { ($0, UInt16(truncatingIfNeeded: index)) }
        }
        found.sort { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
        prefixes = found.map { (names.append($0.text), $0.type) }
        self.names = names.bytes
    }

    /// Lends the bytes of a name.
    @inline(__always)
    private func with<Result>(_ range: ByteRange, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        names.withUnsafeBytes { body($0.view(range)) }
    }

    /// The type of a notification: the one that the intent names, else the one with the longest prefix of the id, else
    /// `unknown` (semantics.md section 3).
    func classify(type: UnsafeRawBufferPointer, id: UnsafeRawBufferPointer) -> UInt16 {
        if !type.isEmpty { return index(ofType: type) }
        if let byPrefix = longestPrefix(of: id) { return byPrefix }
        return with(unknownName) { index(ofType: $0) }
    }

    private func index(ofType name: UnsafeRawBufferPointer) -> UInt16 {
        var low = 0
        var high = types.count
        while low < high {
            let middle = (low + high) / 2
            let order = with(types[middle].name) { Name.compare($0, name) }
            if order == 0 { return UInt16(truncatingIfNeeded: middle) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return Self.unnamedType
    }

    /// Narrows the sorted prefixes byte by byte: those that share the id's first bytes lie side by side, the one that
    /// ends there first among them.
    private func longestPrefix(of id: UnsafeRawBufferPointer) -> UInt16? {
        var (low, high) = (0, prefixes.count)
        var longest: UInt16?
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

    func priority(_ type: UInt16) -> Int32 {
        type == Self.unnamedType ? Int32(clamping: policy.unknownPriority) : types[Int(type)].priority
    }

    func keepsTime(_ type: UInt16) -> Bool {
        type == Self.unnamedType ? false : types[Int(type)].keepsTime
    }

    /// Milliseconds; `.max` without a limit.
    func maxDelay(_ type: UInt16) -> Int64 {
        type == Self.unnamedType ? policy.maxDelayMilliseconds ?? .max : types[Int(type)].maxDelay
    }

    /// Lends the name of a type as classified.
    /// - Parameter own: the name that the intent gave, for one that the policy does not name.
    @inline(__always)
    func withName<Result>(
        _ type: UInt16, own: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        if type != Self.unnamedType { return with(types[Int(type)].name, body) }
        return own.isEmpty ? with(unknownName, body) : body(own)
    }
}
