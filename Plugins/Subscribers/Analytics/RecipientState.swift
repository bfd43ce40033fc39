/// What of a recipient is pending: which notifications are held, and which are queued since when.
///
/// A notification is known by a hash of its id of 64 bits, so that a recipient is one small row: with a thousand pending
/// ids, two of them share one in one of some ten million million recipients. The seed is a hash of the log's name.
struct RecipientState: Hashable {
    struct Queued: Hashable {
        var id: UInt64
        /// When it came into the queue, in milliseconds since 1970.
        var since: Int64
    }

    /// What an event has changed, for the sums over all recipients.
    enum Was: Hashable {
        case absent, held
        case queued(since: Int64)
    }

    private(set) var held: [UInt64] = []
    private(set) var queued: [Queued] = []

    var isEmpty: Bool { held.isEmpty && queued.isEmpty }

    init() {}

    /// Takes a notification away.
    mutating func remove(_ id: UInt64) -> Was {
        // The newest are looked for most.
        if let index = held.lastIndex(of: id) {
            held.swapAt(index, held.count - 1)
            held.removeLast()
            return .held
        }
        if let index = queued.lastIndex(where: { $0.id == id }) {
            let since = queued[index].since
            queued.swapAt(index, queued.count - 1)
            queued.removeLast()
            return .queued(since: since)
        }
        return .absent
    }

    /// It has a slot now.
    mutating func hold(_ id: UInt64) -> Was {
        if held.contains(id) { return .held }
        let was = remove(id)
        held.append(id)
        return was
    }

    /// It waits now; one that waited already goes on waiting since then.
    mutating func queue(_ id: UInt64, at time: Int64) -> Was {
        if let index = queued.lastIndex(where: { $0.id == id }) { return .queued(since: queued[index].since) }
        let was = remove(id)
        queued.append(Queued(id: id, since: time))
        return was
    }

    /// As one value of a row, little-endian: 8 bytes for each held one, then 16 for each queued one.
    var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: held.count * 8 + queued.count * 16) { target, count in
            let target = UnsafeMutableRawBufferPointer(target)
            for id in held {
                target.storeBytes(of: id.littleEndian, toByteOffset: count, as: UInt64.self)
                count += 8
            }
            for entry in queued {
                target.storeBytes(of: entry.id.littleEndian, toByteOffset: count, as: UInt64.self)
                target.storeBytes(of: entry.since.littleEndian, toByteOffset: count + 8, as: Int64.self)
                count += 16
            }
        }
    }

    /// - Returns: nil for bytes that are not of so many.
    init?(_ bytes: UnsafeRawBufferPointer, held heldCount: Int, queued queuedCount: Int) {
        guard heldCount >= 0, queuedCount >= 0, bytes.count == heldCount * 8 + queuedCount * 16 else { return nil }
        held = (0..<heldCount).map {
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self))
        }
        queued = (0..<queuedCount).map {
            let place = heldCount * 8 + $0 * 16
            return Queued(
                id: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)),
                since: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place + 8, as: Int64.self)))
        }
    }
}
