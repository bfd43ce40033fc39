/// Where a store keeps a notification's content (store.md, "Checkpoint"): in the bytes of the batch that brought it, or,
/// once the checkpoint has taken it along, in a block of the hour in which it is to fire. 64 bits.
public struct ContentPosition: Hashable, Sendable, BitwiseCopyable {
    /// From the lowest bit of a batch's: offset (24), batch + 1 (39), 0. Of an hour's: offset (15), block (26), hour (22), 1.
    public let rawValue: UInt64

    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Nowhere: the content stands where the notification stands, or there is none.
    public static let none = ContentPosition(rawValue: 0)

    /// Bytes of a block of a batch, of which contents may stand in several: reading one reads little else.
    public static let batchBlockBytes = 1 << 12
    /// Bytes of a block of an hour that may hold more than one content; all of each stands in it.
    public static let blockBytes = 1 << 12
    /// Offsets in a block of an hour.
    private static let blockSpan = 1 << 15
    /// Blocks of one hour.
    public static let blockLimit = 1 << 26
    /// Bytes of a batch.
    public static let batchBytes = 1 << 24
    private static let hourLimit: Int64 = 1 << 22
    private static let hourMilliseconds: Int64 = 3_600_000
    @usableFromInline static let hourBit: UInt64 = 1 << 63

    /// - Parameters:
    ///   - batch: below 2³⁹ − 1.
    ///   - offset: below ``batchBytes``.
    @inlinable
    public init(batch: UInt64, offset: Int) {
        precondition(batch + 1 < 1 << 39 && offset >= 0 && offset < Self.batchBytes, "batch \(batch), offset \(offset)")
        rawValue = (batch + 1) << 24 | UInt64(offset)
    }

    /// - Parameters:
    ///   - hour: as ``hour(of:)`` gives it.
    ///   - block: below ``blockLimit``.
    ///   - offset: below 2¹⁵: a block ends with the content that passes ``blockBytes``.
    public init(hour: UInt32, block: UInt32, offset: Int) {
        precondition(
            hour < Self.hourLimit && block < Self.blockLimit && offset >= 0 && offset < Self.blockSpan,
            "hour \(hour), block \(block), offset \(offset)")
        rawValue = Self.hourBit | UInt64(hour) << 41 | UInt64(block) << 15 | UInt64(offset)
    }

    /// The hour of a fire date: whole hours since 1970, held to 22 bits (to the year 2448).
    public static func hour(of date: Instant) -> UInt32 {
        UInt32(min(max(date.milliseconds / hourMilliseconds, 0), hourLimit - 1))
    }

    /// What a position names.
    public enum Place: Hashable, Sendable {
        case none
        case batch(UInt64, offset: Int)
        case hour(UInt32, block: UInt32, offset: Int)
    }

    public var place: Place {
        if rawValue == 0 { return .none }
        guard let hour else { return .batch(rawValue >> 24 - 1, offset: Int(rawValue & (1 << 24 - 1))) }
        return .hour(
            hour, block: UInt32(truncatingIfNeeded: rawValue >> 15 & (1 << 26 - 1)),
            offset: Int(rawValue & (1 << 15 - 1)))
    }

    /// Where the block begins that holds its first byte.
    public var blockStart: ContentPosition { ContentPosition(rawValue: rawValue & ~UInt64(blockSpan - 1)) }

    public var offsetInBlock: Int { Int(rawValue & UInt64(blockSpan - 1)) }

    /// Where the block begins that holds the bytes behind a batch's block.
    public var nextBlockStart: ContentPosition {
        ContentPosition(rawValue: blockStart.rawValue + UInt64(Self.batchBlockBytes))
    }

    /// Positions from one block to the next.
    private var blockSpan: Int { hour == nil ? Self.batchBlockBytes : Self.blockSpan }

    /// All positions of an hour.
    public static func positions(ofHour hour: UInt32) -> ClosedRange<UInt64> {
        let first = hourBit | UInt64(hour) << 41
        return first...first + (1 << 41 - 1)
    }

    /// Its hour, for one that stands in a block of an hour.
    @inline(__always)
    public var hour: UInt32? {
        rawValue & Self.hourBit == 0 ? nil : UInt32(truncatingIfNeeded: rawValue >> 41 & (1 << 22 - 1))
    }
}

/// A content that the checkpoint takes along.
public struct ContentMove: Hashable, Sendable, BitwiseCopyable {
    public var from: ContentPosition
    /// In a block that the same checkpoint begins: offsets in it rise without holes.
    public var to: ContentPosition
    public var count: Int

    public init(from: ContentPosition, to: ContentPosition, count: Int) {
        self.from = from
        self.to = to
        self.count = count
    }
}
