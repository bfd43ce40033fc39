import CPrefetch
import RationModel

/// All recipients by their key. The table of hashes is only ever looked up, never iterated.
struct RecipientTable: ~Copyable {
    /// Rows, with those that are vacant.
    private(set) var count = 0
    /// Rows of recipients that were removed: the next ones that become known take them.
    private var vacant: [UInt32] = []
    /// Recipients never move: so many in each chunk, the last one partly initialized.
    private var chunks: [UnsafeMutablePointer<Recipient>] = []
    /// Row + 1 and 32 bits of its key's hash; 0 for an empty place. A power of two, at most half full.
    private var places: ContiguousArray<(row: UInt32, hash: UInt32)>
    private let seed: UInt64

    private static let chunkRows = 4096

    init(seed: UInt64) {
        self.seed = seed
        places = ContiguousArray(repeating: (0, 0), count: 64)
    }

    deinit {
        for (index, chunk) in chunks.enumerated() {
            chunk.deinitialize(count: min(Self.chunkRows, count - index * Self.chunkRows))
            chunk.deallocate()
        }
    }

    /// A recipient's place in memory, which it keeps.
    /// - Parameter row: below `count`, which is checked.
    @inline(__always)
    func recipient(_ row: Int) -> UnsafeMutablePointer<Recipient> {
        precondition(row >= 0 && row < count, "row \(row) of \(count) recipients")
        return chunks[row / Self.chunkRows] + row % Self.chunkRows
    }

    /// The key of a recipient: `app NUL device`.
    @inline(__always)
    func key(_ row: Int) -> UnsafeRawBufferPointer {
        recipient(row).pointee.key
    }

    /// `app/device`, for people.
    func name(_ row: Int) -> String {
        let recipient = recipient(row)
        func text(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }
        return text(recipient.pointee.app) + "/" + text(recipient.pointee.device)
    }

    /// Has the place of a hash read soon.
    @inline(__always)
    func prefetchPlace(hash: UInt64) {
        places.withUnsafeBufferPointer {
            // The mask keeps the place below the count.
            ration_prefetch($0.baseAddress.unsafelyUnwrapped + (Int(truncatingIfNeeded: hash) & (places.count - 1)))
        }
    }

    /// The row that most likely has a key of that hash; it is had read soon.
    @inline(__always)
    func prefetchRecipient(hash: UInt64) -> Int? {
        let place = places[Int(truncatingIfNeeded: hash) & (places.count - 1)]
        guard place.row != 0 else { return nil }
        let address = UnsafeRawPointer(recipient(Int(place.row - 1)))
        ration_prefetch(address)
        ration_prefetch(address + 64)
        return Int(place.row - 1)
    }

    /// The hash of a key, for `row` and `insert`.
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
            let row = Int(places[place].row - 1)
            if places[place].hash == tag, self.key(row).isSame(as: key) { return row }
            place = (place + 1) & mask
        }
        return nil
    }

    /// How many recipients are known.
    var known: Int { count - vacant.count }

    /// Whether nobody has a row.
    func isVacant(_ row: Int) -> Bool { key(row).isEmpty }

    /// Forgets a recipient.
    mutating func remove(_ row: Int) {
        close(place(of: row, hash: hash(key(row))))
        // Takes the place of the one that is forgotten, whose memory goes.
        recipient(row).pointee = Recipient(key: UnsafeRawBufferPointer.none, appCount: 0, revision: 0)
        vacant.append(UInt32(truncatingIfNeeded: row))
    }

    private func place(of row: Int, hash: UInt64) -> Int {
        let mask = places.count - 1
        var place = Int(truncatingIfNeeded: hash) & mask
        while places[place].row != UInt32(row + 1) { place = (place + 1) & mask }
        return place
    }

    /// Empties a place: those behind it that were pushed on move up, so that no search ends before them.
    private mutating func close(_ place: Int) {
        let mask = places.count - 1
        var (gap, next) = (place, (place + 1) & mask)
        while places[next].row != 0 {
            let home = Int(truncatingIfNeeded: hash(key(Int(places[next].row - 1)))) & mask
            if (next - home) & mask >= (next - gap) & mask {
                places[gap] = places[next]
                gap = next
            }
            next = (next + 1) & mask
        }
        places[gap] = (0, 0)
    }

    /// Adds a recipient that is not known.
    mutating func insert(_ key: UnsafeRawBufferPointer, appCount: Int, hash: UInt64, revision: UInt32) -> Int {
        if (count + 1) * 2 > places.count { grow() }
        if let row = vacant.popLast().map(Int.init) {
            recipient(row).pointee = Recipient(key: key, appCount: appCount, revision: revision)
            enter(row: row, hash: hash)
            return row
        }
        let row = count
        if row % Self.chunkRows == 0 { chunks.append(.allocate(capacity: Self.chunkRows)) }
        (chunks[row / Self.chunkRows] + row % Self.chunkRows)
            .initialize(to: Recipient(key: key, appCount: appCount, revision: revision))
        count += 1
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
        for row in 0..<count where !isVacant(row) { enter(row: row, hash: hash(key(row))) }
    }
}
