/// The wall clock of one time zone: the offset from UTC at every instant, from the tz database (RFC 9636).
///
/// Wall times are milliseconds since 1970-01-01T00:00:00 as the zone's clocks show it.
public final class ZoneTable: Sendable {
    /// The name in the tz database.
    public let name: String

    /// A zone whose clocks never change.
    public init(name: String, offsetMilliseconds: Int64) {
        self.name = name
        fixedOffset = offsetMilliseconds
    }

    private let fixedOffset: Int64

    public static let utc = ZoneTable(name: "UTC", offsetMilliseconds: 0)

    /// Milliseconds east of UTC.
    public func offset(at instant: Instant) -> Int64 {
        fixedOffset
    }

    /// The first instant after `instant` at which the offset changes; nil when it never does again.
    public func nextTransition(after instant: Instant) -> Instant? {
        nil
    }

    /// The instant at which the clocks show a wall time: the first of two; inside a gap, the wall time read with the
    /// offset before it (RFC 5545 section 3.3.5).
    public func instant(wall: Int64) -> Instant {
        Instant(milliseconds: wall - fixedOffset)
    }
}

/// The time zones of a tz database, each read once.
public protocol ZoneSource: ZoneChecking {
    /// The zone of that name, byte for byte; nil if the database does not know it.
    func zone(named name: UnsafeRawBufferPointer) -> ZoneTable?
    /// The release, such as `2025b`, if it is known.
    var release: String? { get }
}
