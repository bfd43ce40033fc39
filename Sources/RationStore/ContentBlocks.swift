internal import RationModel

/// Blocks of contents that were read lately: those that fire in one hour stand together.
struct ContentBlocks {
    /// Most blocks have 4 KiB.
    private static let limit = 4096

    private var blocks: [UInt64: [UInt8]] = [:]
    /// Their positions, oldest first.
    private var order: [UInt64] = []
    private var oldest = 0

    subscript(first: ContentPosition) -> [UInt8]? { blocks[first.rawValue] }

    mutating func add(_ bytes: [UInt8], at first: ContentPosition) {
        // One that was forgotten keeps its place in the order.
        guard blocks.updateValue(bytes, forKey: first.rawValue) == nil else { return }
        if order.count < Self.limit {
            order.append(first.rawValue)
        } else {
            blocks[order[oldest]] = nil
            order[oldest] = first.rawValue
            oldest = (oldest + 1) % Self.limit
        }
    }

    /// Forgets the blocks of an hour: what is begun there anew is another one.
    mutating func remove(hours: [UInt32]) {
        guard !hours.isEmpty else { return }
        let gone = Set(hours)
        for position in order where ContentPosition(rawValue: position).hour.map(gone.contains) ?? false {
            blocks[position] = []
        }
    }
}

extension ContentPosition {
    /// The key of the block that begins here.
    var key: [UInt8] { NumberKey.bytes(rawValue) }
}
