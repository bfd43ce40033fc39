import CPrefetch
import RationModel

/// All recipients by their key. The table of hashes is only ever looked up, never iterated.
struct RecipientTable: ~Copyable {
    /// Rows, also those that were vacated.
    private(set) var count = 0
    /// Rows whose recipient was forgotten.
    private(set) var vacantCount = 0
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

    /// Adds a recipient that is not known.
    mutating func insert(_ key: UnsafeRawBufferPointer, appCount: Int, hash: UInt64, revision: UInt32) -> Int {
        if (count + 1) * 2 > places.count { grow() }
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
        for row in 0..<count where !recipient(row).pointee.isVacant { enter(row: row, hash: hash(key(row))) }
    }

    /// Forgets a recipient. Its row stays, so that the others keep theirs, and so does its place in the table of hashes, which
    /// no key is equal to any more.
    mutating func vacate(_ row: Int) {
        recipient(row).pointee = Recipient(key: UnsafeRawBufferPointer(start: nil, count: 0), appCount: 0, revision: 0)
        vacantCount += 1
    }
}
