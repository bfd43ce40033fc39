internal import RationModel

/// What of a recipient has come due and may still be told of: of each id the newest `due`, the newest last. Feedback names an id
/// and nothing else; what it is counted by, the `due` has told.
struct ShownNotifications: Hashable {
    /// What is known of a notification's end; what comes later outweighs what stands before it, in whatever order it is told.
    enum Fate: UInt8 {
        case unknown, failed, reached, opened

        /// What an event of feedback says.
        init(_ kind: EventKind) {
            switch kind {
            case .failed: self = .failed
            case .delivered, .dismissed: self = .reached
            case .opened, .action: self = .opened
            case .due, .expired, .cancelled, .evicted, .queued, .accepted: self = .unknown
            }
        }
    }

    struct Entry: Hashable {
        /// A hash of the id, as in ``RecipientState``.
        var id: UInt64
        /// When it came due, in milliseconds since 1970.
        var time: Int64
        /// Its type's number.
        var type: Int64
        var priority: Int32
        /// Of its fire date, in UTC.
        var hourOfDay: UInt8
        var fate = Fate.unknown
    }

    /// So many of one recipient are remembered, the newest.
    static let limit = 256
    private static let entryBytes = 26

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }

    /// When the newest came due.
    var lastTime: Int64? { entries.last?.time }

    init() {}

    /// Forgets what came due before then.
    mutating func forget(before begin: Int64) {
        let count = entries.prefix { $0.time < begin }.count
        if count > 0 { entries.removeFirst(count) }
    }

    /// Takes in one that has come due, at or after all others.
    mutating func add(_ entry: Entry) {
        entries.removeAll { $0.id == entry.id }
        if entries.count >= Self.limit { entries.removeFirst(entries.count - Self.limit + 1) }
        entries.append(entry)
    }

    /// Takes in what was told of one.
    /// - Returns: what it was before, and is now; nil for one that is not known.
    mutating func tell(_ id: UInt64, _ fate: Fate) -> (before: Entry, after: Entry)? {
        guard let place = entries.lastIndex(where: { $0.id == id }) else { return nil }
        let before = entries[place]
        if fate.rawValue > before.fate.rawValue { entries[place].fate = fate }
        return (before, entries[place])
    }

    /// As one value of a row, little-endian: for each id u64, time i64, type u32, priority i32, hour u8, fate u8.
    var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: entries.count * Self.entryBytes) { target, count in
            let target = UnsafeMutableRawBufferPointer(target)
            func put(_ number: some FixedWidthInteger & BitwiseCopyable) {
                target.storeBytes(of: number.littleEndian, toByteOffset: count, as: type(of: number))
                count += MemoryLayout.size(ofValue: number)
            }
            for entry in entries {
                put(entry.id)
                put(entry.time)
                // Names have at most 100,000 numbers.
                put(UInt32(truncatingIfNeeded: entry.type))
                put(entry.priority)
                put(entry.hourOfDay)
                put(entry.fate.rawValue)
            }
        }
    }

    /// - Returns: nil for bytes that are no whole entries.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count % Self.entryBytes == 0 else { return nil }
        for start in stride(from: 0, to: bytes.count, by: Self.entryBytes) {
            var place = start
            func number<Number: FixedWidthInteger & BitwiseCopyable>(_: Number.Type) -> Number {
                defer { place += MemoryLayout<Number>.size }
                return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
            }
            let (id, time) = (number(UInt64.self), number(Int64.self))
            let (type, priority) = (Int64(number(UInt32.self)), number(Int32.self))
            let (hour, fate) = (number(UInt8.self), Fate(rawValue: number(UInt8.self)))
            guard let fate else { return nil }
            entries.append(
                Entry(id: id, time: time, type: type, priority: priority, hourOfDay: hour, fate: fate))
        }
    }
}
