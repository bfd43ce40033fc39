import RationModel

/// What happened, for people: the last steps in words, and a hash of all.
struct Trace {
    private static let kept = 60

    private var lines: [String] = []
    private(set) var steps = 0
    private(set) var hash: UInt64 = 0

    /// - Parameter words: of RocksDB's, which may tell checksums over names that it draws by chance: not hashed.
    mutating func note(_ line: String, _ words: String = "") {
        steps += 1
        mix(Array(line.utf8).withUnsafeBytes { ByteHash.hash($0, seed: hash) })
        lines.append("\(steps) \(line)\(words)")
        if lines.count > Self.kept * 2 { lines.removeFirst(Self.kept) }
    }

    mutating func mix(_ value: UInt64) { hash = hash &* 31 ^ value }

    var words: String { lines.suffix(Self.kept).joined(separator: "\n") }
}
