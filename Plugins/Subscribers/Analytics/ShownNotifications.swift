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

    /// As one value of a row, and worked on as such: most pages change none or one of them. Little-endian, for each id u64, time i64,
    /// type u32, priority i32, hour u8, fate u8.
    private(set) var bytes: [UInt8] = []

    private static let entryBytes = 26
    private static let timeOffset = 8
    private static let fateOffset = 25

    init() {}

    /// - Returns: nil for bytes that are no whole entries, with a fate each.
    init?(_ bytes: [UInt8]) {
        guard bytes.count % Self.entryBytes == 0 else { return nil }
        self.bytes = bytes
        for start in starts where Fate(rawValue: bytes[start + Self.fateOffset]) == nil { return nil }
    }

    private var starts: StrideTo<Int> { stride(from: 0, to: bytes.count, by: Self.entryBytes) }

    /// When the newest came due.
    var lastTime: Int64? { bytes.isEmpty ? nil : time(at: bytes.count - Self.entryBytes) }

    /// Forgets what came due before then.
    mutating func forget(before begin: Int64) {
        let end = starts.first { time(at: $0) >= begin } ?? bytes.count
        if end > 0 { bytes.removeFirst(end) }
    }

    /// Takes in one that has come due, at or after all others.
    mutating func add(_ entry: Entry) {
        if let start = start(of: entry.id) { bytes.removeSubrange(start..<start + Self.entryBytes) }
        let excess = bytes.count / Self.entryBytes - Self.limit + 1
        if excess > 0 { bytes.removeFirst(excess * Self.entryBytes) }
        put(entry.id)
        put(entry.time)
        // Names have at most 100,000 numbers.
        put(UInt32(truncatingIfNeeded: entry.type))
        put(entry.priority)
        put(entry.hourOfDay)
        put(entry.fate.rawValue)
    }

    /// Takes in what was told of one.
    /// - Returns: what it was before, and is now; nil for one that is not known.
    mutating func tell(_ id: UInt64, _ fate: Fate) -> (before: Entry, after: Entry)? {
        guard let start = start(of: id) else { return nil }
        let before = entry(at: start)
        guard fate.rawValue > before.fate.rawValue else { return (before, before) }
        bytes[start + Self.fateOffset] = fate.rawValue
        return (before, entry(at: start))
    }

    private func start(of id: UInt64) -> Int? { starts.first { number($0, UInt64.self) == id } }

    private func time(at start: Int) -> Int64 { number(start + Self.timeOffset, Int64.self) }

    private func entry(at start: Int) -> Entry {
        Entry(
            id: number(start, UInt64.self), time: time(at: start), type: Int64(number(start + 16, UInt32.self)),
            priority: number(start + 20, Int32.self), hourOfDay: bytes[start + 24],
            // The initializer has looked at all fates.
            fate: Fate(rawValue: bytes[start + Self.fateOffset]) ?? .unknown)
    }

    private func number<Number: FixedWidthInteger & BitwiseCopyable>(_ place: Int, _: Number.Type) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: place, as: Number.self)) }
    }

    private mutating func put(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
