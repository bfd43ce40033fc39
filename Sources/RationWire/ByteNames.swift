import RationModel

/// Names to be found by their bytes, among many and without making a `String`.
struct ByteNames: Sendable {
    private struct Entry {
        var bytes: [UInt8]
        var place: Int
    }

    /// By the hash of their bytes; few share one.
    private var entries: [UInt64: [Entry]] = [:]

    /// - Parameter names: each once.
    init(_ names: some Sequence<String>) {
        for (place, name) in names.enumerated() {
            let bytes = Array(name.utf8)
            entries[bytes.withUnsafeBytes { ByteHash.hash($0, seed: 0) }, default: []].append(
                Entry(bytes: bytes, place: place))
        }
    }

    /// The place of a name among those that were given; nil for another one.
    func place(of name: UnsafeRawBufferPointer) -> Int? {
        guard let found = entries[ByteHash.hash(name, seed: 0)] else { return nil }
        return found.first { $0.bytes.count == name.count && $0.bytes.elementsEqual(name) }?.place
    }
}
