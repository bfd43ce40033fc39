import RationModel

/// All recipients by their key. The table of hashes is only ever looked up, never iterated.
struct RecipientTable: Sendable {
    private(set) var names = ByteArena()
    var recipients: ContiguousArray<Recipient> = []
    /// Row + 1 and 32 bits of its key's hash; 0 for an empty place. A power of two, at most half full.
    private var places: ContiguousArray<(row: UInt32, hash: UInt32)>
    private let seed: UInt64

    init(seed: UInt64) {
        self.seed = seed
        places = ContiguousArray(repeating: (0, 0), count: 64)
    }

    /// The hash of a key, for `row` and `insert`.
    /// - Parameter key: `app NUL device`.
    @inline(__always)
    func hash(_ key: UnsafeRawBufferPointer) -> UInt64 {
        ByteHash.hash(key, seed: seed)
    }

    /// The row of a recipient; nil if it is not known.
    @inline(__always)
    func row(_ key: UnsafeRawBufferPointer, hash: UInt64) -> Int? {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        let tag = UInt32(truncatingIfNeeded: hash >> 32)
        while places[place].row != 0 {
            if places[place].hash == tag {
                let row = Int(places[place].row - 1)
                if names.with(recipients[row].key, { $0.elementsEqual(key) }) { return row }
            }
            place = (place + 1) & mask
        }
        return nil
    }

    /// Adds a recipient that is not known.
    mutating func insert(_ key: UnsafeRawBufferPointer, appCount: Int, hash: UInt64) -> Int {
        if (recipients.count + 1) * 2 > places.count { grow() }
        let row = recipients.count
        recipients.append(Recipient(key: names.append(key), appCount: appCount))
        enter(row: row, hash: hash)
        return row
    }

    private mutating func enter(row: Int, hash: UInt64) {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place].row != 0 { place = (place + 1) & mask }
        places[place] = (UInt32(row + 1), UInt32(truncatingIfNeeded: hash >> 32))
    }

    private mutating func grow() {
        places = ContiguousArray(repeating: (0, 0), count: places.count * 2)
        for row in recipients.indices {
            enter(row: row, hash: names.with(recipients[row].key) { hash($0) })
        }
    }
}
